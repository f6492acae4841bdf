import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DONE, PLAN_GATE, plannedProject } from "../support/planned.ts";
import { newProject } from "../support/project.ts";
import { envoy } from "../support/envoy.ts";
import { startEnvoy } from "../support/waiter.ts";

test("a gate asked for from another project is the gate of its plan's project, and its resume command works from there", async () => {
  const owner = await plannedProject();
  const { gate_id } = (await owner.gate("--wait", "1ms").end).json.data;
  const begun = owner.readForm().replace("thoughts: |\n  ", "thoughts: |\n  Half a thou");
  owner.save({ "thoughts: |\n  ": "thoughts: |\n  Half a thou" });

  const other = await newProject();
  const at = { cwd: other.root, env: { ENVOY_PLAN_DIR: owner.plan } };
  const { json } = await startEnvoy([...PLAN_GATE, "--wait", "1ms"], at).end;
  expect(json).toMatchObject({ status: "pending", data: { gate_id, file: owner.form() } });
  expect(readFileSync(owner.form(), "utf8")).toBe(begun);

  owner.save(DONE);
  const resume = json.data.resume.replace(/^envoy /, "").split(" ");
  expect((await envoy(resume, { cwd: other.root })).json.data).toMatchObject({ gate_id, proceed: true, thoughts: "Half a thou" });
});

test("a plan that was named is named in the command that asks again", async () => {
  const owner = await plannedProject();
  for (const variant of ["A", "B"]) await owner.data("plan", "write-prompt", "3", variant, "--description", variant);
  for (const variant of ["A", "B"]) await owner.data("plan", "complete-prompt", "3", variant);
  const other = await newProject();
  const gate = ["plan", "block-prompt-variants-gate", "3", "A", "--plan-dir", owner.plan, "--wait", "1ms"];
  const { json } = await envoy(gate, { cwd: other.root });
  const again = await envoy(json.data.resume.replace(/^envoy /, "").split(" "), { cwd: other.root });
  expect(again.json).toMatchObject({ status: "pending", data: { gate_id: json.data.gate_id, resume: json.data.resume } });
});
