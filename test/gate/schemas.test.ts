import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { fromJSONSchema } from "zod";
import { GATES } from "../../commands/gates.ts";
import { readYaml } from "../../src/system/yaml/read.ts";
import { newProject } from "../support/project.ts";

const root = resolve(import.meta.dirname, "../..");
const schemaOf = (kind: string) => readFileSync(join(root, "schemas/json", `${kind}.json`), "utf8");

test("schemas and examples are those that the gates declare now", () => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, "scripts/schemas.mjs"), "--check"], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(status).toBe(0);
});

test("every gate has a schema, and an example that the page for people names", () => {
  const page = readFileSync(join(root, "user_feedback/README.md"), "utf8");
  const examples = readdirSync(join(root, "user_feedback")).filter((name) => name.endsWith(".yaml"));
  expect(examples.toSorted()).toEqual(
    Object.keys(GATES)
      .map((kind) => `${kind}.yaml`)
      .toSorted(),
  );
  for (const name of examples) expect(page).toContain(`(${name})`);
});

test.each(Object.keys(GATES))("an editor underlines nothing in an untouched %s", (kind) => {
  const reading = readYaml(readFileSync(join(root, "user_feedback", `${kind}.yaml`), "utf8"), {
    maxBytes: 1e6,
    maxDepth: 16,
    maxPairs: 1000,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.issues));
  const schema = JSON.parse(schemaOf(kind)) as Parameters<typeof fromJSONSchema>[0];
  expect(fromJSONSchema(schema).safeParse(reading.document.toJS()).error?.issues ?? []).toEqual([]);
});

test("the schema lies where an opened form says", async () => {
  const project = await newProject();
  await project.data("plan", "write-prompt", "1", "--description", "Build the login page");
  expect((await project.envoy("plan", "block-plan-gate", "--wait", "1ms")).code).toBe(75);
  const form = join(project.plan, "user_feedback/plan_gate.yaml");
  const named = /\$schema=(\S+)/.exec(readFileSync(form, "utf8"))![1]!;
  const copy = resolve(dirname(form), named);
  expect(existsSync(copy)).toBe(true);
  expect(readFileSync(copy, "utf8")).toBe(schemaOf("plan_gate"));
});
