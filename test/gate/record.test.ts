import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DONE, PLAN_GATE, plannedProject } from "../support/planned.ts";
import { git } from "../support/project.ts";

test("an archived finding of the same name is kept, and the new one gets a number", async () => {
  const project = await plannedProject();
  for (const notes of ["first", "second"]) {
    await project.data("plan", "write-finding", "backend", "--notes", notes);
    await project.gate("--wait", "1ms").end;
    project.save(DONE);
    await project.data(...PLAN_GATE);
  }
  const names = readdirSync(join(project.plan, "findings/_archive")).toSorted();
  expect(names).toHaveLength(2);
  const kept = names.map((name) => project.read(`findings/_archive/${name}`)).join("\n");
  for (const notes of ["first", "second"]) expect(kept).toContain(`notes: ${notes}`);
  expect(readdirSync(join(project.plan, "findings"))).toEqual(["_archive"]);
});

test("the record keeps who answered, when, how, in which words and with which logs", async () => {
  const project = await plannedProject();
  git(project.root, "config", "user.email", "person@example.invalid");
  const gate = ["plan", "block-debugging-logging-gate", "1"];
  const { gate_id } = (await project.start([...gate, "--wait", "1ms"]).end).json.data;
  project.write("user_feedback/1_logging_logs.md", "TypeError: x is undefined");
  project.save({ "thoughts: |\n  ": "thoughts: |\n  See line 3", ...DONE }, "1_logging");
  const { waited_ms } = await project.data(...gate);
  const shown = await project.data("show", gate_id);
  expect(shown).toMatchObject({
    gate: "1_logging",
    plan: "feature-login",
    times_handed_back: 0,
    answered: { via: "editor", answered_by: "human", email: "person@example.invalid", late: false },
    logs: "TypeError: x is undefined",
    delivered: true,
    result: { waited_ms },
  });
  expect(shown.answered).toMatchObject({ user: expect.any(String), saved_at: expect.any(String) });
  expect(shown.form_text).toContain("See line 3");
  expect(shown.history.map(({ fact }: { fact: string }) => fact)).toEqual(["opened", "answered", "applied", "delivered"]);
});

test("a form that was saved before the deadline is in time, though it is noticed after it", async () => {
  const project = await plannedProject();
  const { json } = await project.gate("--timeout", "1ms").end;
  expect(json.error.type).toBe("timeout");
  const { deadline } = await project.data("show", "plan_gate");
  const inTime = new Date(Date.parse(deadline) - 1);
  project.save(DONE);
  utimesSync(project.form(), inTime, inTime);
  const result = await project.data(...PLAN_GATE);
  expect(result).toMatchObject({ proceed: true });
  expect(result).not.toHaveProperty("late");
});

describe("the variants gate", () => {
  const variants = async (...names: string[]) => {
    const project = await plannedProject();
    for (const variant of names) await project.data("plan", "write-prompt", "3", variant, "--description", variant);
    return project;
  };
  const gate = ["plan", "block-prompt-variants-gate", "3", "A"];

  test("asks nobody about the only variant", async () => {
    const project = await variants("A");
    const data = await project.data(...gate);
    expect(data).toMatchObject({ skipped: true, reason: expect.stringContaining("only variant") });
    expect(data).not.toHaveProperty("proceed");
  });

  test("tells a waiter that knows no variant all decisions", async () => {
    const project = await variants("A", "B");
    for (const variant of ["A", "B"]) await project.data("plan", "complete-prompt", "3", variant);
    const { gate_id } = (await project.start([...gate, "--wait", "1ms"]).end).json.data;
    project.save({ "decision: null": "decision: main", ...DONE }, "3_variants");
    await project.data("answer", "3_variants", "--set", "B.decision=accepted", "--done");
    const { decisions } = await project.data("wait", gate_id);
    expect(decisions).toMatchObject([
      { variant: "A", variant_solution: "main" },
      { variant: "B", variant_solution: "alternative" },
    ]);
  });

  test.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGHUP", 129],
  ] as const)("ended by %s while a variant is not ready says so", async (signal, code) => {
    const project = await variants("A", "B");
    const waiter = project.start(gate);
    await waiter.says(/not ready to ask yet/);
    const ended = await waiter.kill(signal);
    expect(ended.code).toBe(code);
    expect(ended.json).toMatchObject({ status: "pending", data: { resume: `envoy ${gate.join(" ")}` } });
  });
});
