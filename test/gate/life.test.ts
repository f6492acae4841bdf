import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Environment, heartbeatOf } from "../../src/system/environment.ts";
import { DONE, PLAN_GATE, plannedProject } from "../support/planned.ts";
import { git } from "../support/project.ts";
import { WAITS } from "../support/waiter.ts";

const THOUGHTS = { "thoughts: |\n  ": "thoughts: |\n  Looks good, see PR #12" };

test("gives the agent the person's answer and puts it into the audit trail", async () => {
  const project = await plannedProject();
  const waiter = project.gate();
  await waiter.says(WAITS);
  project.save({ ...THOUGHTS, ...DONE });
  const { json, code, stderr } = await waiter.end;
  expect(code).toBe(0);
  expect(json.data).toMatchObject({
    gate: "plan_gate",
    thoughts: "Looks good, see PR #12",
    has_user_required_changes: false,
    proceed: true,
    archived_findings: ["backend.yaml"],
  });
  expect(json.data.summary).not.toBe("");
  expect(json.data.next).toContain("envoy plan next");
  expect(stderr).toContain(project.form());
  expect(stderr).toContain(`envoy wait ${json.data.gate_id}`);
  expect(project.forms()).toEqual([]);
  expect(project.read("user_input.md").match(/Looks good, see PR #12/g)).toHaveLength(1);
  expect(existsSync(join(project.plan, "findings/_archive/backend.yaml"))).toBe(true);
});

test("keeps what the person typed when the agent is killed and runs the gate again", async () => {
  const project = await plannedProject();
  const first = project.gate();
  await first.says(WAITS);
  project.save(THOUGHTS);
  const begun = project.readForm();
  await first.kill();
  const second = project.gate();
  await second.says(/attached to plan_gate/);
  expect(project.readForm()).toBe(begun);
  project.save(DONE);
  expect((await second.end).json.data.thoughts).toBe("Looks good, see PR #12");
});

test("returns an answer that was given while nobody waited", async () => {
  const project = await plannedProject();
  const waiter = project.gate();
  await waiter.says(WAITS);
  await waiter.kill();
  project.save({ ...THOUGHTS, ...DONE });
  expect(await project.data(...PLAN_GATE)).toMatchObject({ proceed: true, thoughts: "Looks good, see PR #12" });
});

test("any command on the plan takes such an answer, and the gate's command then delivers it once", async () => {
  const project = await plannedProject();
  await project.gate("--wait", "1ms").end;
  project.save(DONE);
  await project.data("plan", "list-prompts");
  expect(project.forms()).toEqual([]);
  const { gate_id } = await project.data(...PLAN_GATE);
  const again = await project.gate("--wait", "1ms").end;
  expect(again.json.status).toBe("pending");
  expect(again.json.data.gate_id).not.toBe(gate_id);
  expect(await project.data("wait", gate_id)).toMatchObject({ gate_id, proceed: true });
  expect(await project.data("wait", gate_id.slice(-5))).toMatchObject({ gate_id, proceed: true });
});

test("a result whose reader has gone counts as undelivered and is delivered by the next run", async () => {
  const project = await plannedProject();
  await project.gate("--wait", "1ms").end;
  project.save(DONE);
  const waiter = project.start(PLAN_GATE);
  waiter.child.stdout!.destroy();
  const { code } = await waiter.end;
  expect(code).toBe(5);
  expect(await project.data(...PLAN_GATE)).toMatchObject({ proceed: true, archived_findings: ["backend.yaml"] });
});

test("a slice of waiting ends as pending with the exact command to go on", async () => {
  const project = await plannedProject();
  const { json, code } = await project.gate("--wait", "1ms", "--require-approval").end;
  expect(code).toBe(75);
  expect(json).toMatchObject({ status: "pending", data: { gate: "plan_gate", form: "untouched", file: project.form() } });
  expect(json.data.resume).toBe(`envoy wait ${json.data.gate_id} --wait 1ms --require-approval`);
  project.save(THOUGHTS);
  const words = json.data.resume.split(" ").slice(1) as string[];
  expect((await project.envoy(...words)).json.data.form).toBe("begun");
  project.save({ "done: false": "done: maybe" });
  const handed = await project.envoy(...words);
  expect(handed.json.data).toMatchObject({ form: "handed_back", issues: [{ path: "done", line: expect.any(Number) }] });
  project.save(DONE);
  expect((await project.envoy(...words)).json.data.proceed).toBe(true);
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("ended by %s it prints pending and exits with %i", async (signal, code) => {
  const project = await plannedProject();
  const waiter = project.gate();
  await waiter.says(WAITS);
  const run = await waiter.kill(signal);
  expect(run.code).toBe(code);
  expect(run.json.status).toBe("pending");
});

describe("the deadline", () => {
  test("ends the wait with timeout, keeps the form, and a later answer is taken as late", async () => {
    const project = await plannedProject();
    const { code, json } = await project.gate("--timeout", "1ms").end;
    expect(code).toBe(124);
    expect(json.error).toMatchObject({ type: "timeout", suggestion: expect.stringContaining("envoy plan block-plan-gate") });
    expect(project.forms()).toEqual(["plan_gate.yaml"]);
    project.save(DONE);
    expect(await project.data(...PLAN_GATE)).toMatchObject({ proceed: true, late: true });
  });

  test("starts anew with the gate's command, but not with envoy wait", async () => {
    const project = await plannedProject();
    await project.gate("--timeout", "1ms").end;
    const [gate] = (await project.data("inbox")).inbox;
    expect((await project.error("timeout", "wait", gate.gate_id)).code).toBe(124);
    const again = await project.gate("--wait", "1ms").end;
    expect(again.json.data.gate_id).toBe(gate.gate_id);
    expect(Date.parse(again.json.data.deadline)).toBeGreaterThan(Date.now());
  });

  test("stays on attach unless another is given, and may be a month away", async () => {
    const project = await plannedProject();
    const first = (await project.gate("--wait", "1ms", "--timeout", "30d").end).json.data;
    const second = (await project.gate("--wait", "1ms").end).json.data;
    expect(second.deadline).toBe(first.deadline);
    const third = (await project.gate("--wait", "1ms", "--timeout", "2h").end).json.data;
    expect(Date.parse(third.deadline)).toBeLessThan(Date.parse(first.deadline));
  });
});

test("a form from an earlier run with done: true never answers a new gate", async () => {
  const project = await plannedProject();
  const old = project.gate();
  await old.says(WAITS);
  const done = project.readForm().replace("done: false", "done: true");
  project.save(DONE);
  await old.end;
  writeFileSync(project.form(), done);
  const { json, stderr } = await project.gate("--wait", "1ms").end;
  expect(json.status).toBe("pending");
  expect(stderr).toMatch(/was saved again after g_\w+ was answered/);
  const kept = join(project.root, ".envoy/state/aside");
  expect(readdirSync(kept).map((name) => readFileSync(join(kept, name), "utf8"))).toContain(done);
});

test("a form that lies there without any gate is set aside and told", async () => {
  const project = await plannedProject();
  writeFileSync(project.form(), "thoughts: yes\ndone: true\n");
  const { json, stderr } = await project.gate("--wait", "1ms").end;
  expect(json.status).toBe("pending");
  expect(stderr).toContain("belonged to no open gate");
});

test("a deleted form comes back as it was last seen; withdraw ends the gate and keeps the text", async () => {
  const project = await plannedProject();
  const waiter = project.gate();
  await waiter.says(WAITS);
  rmSync(project.form());
  await waiter.says(/the form was gone and is back/);
  project.save(THOUGHTS);
  const { gate_id } = (await project.data("inbox")).inbox[0];
  await project.data("withdraw", "plan_gate", "--reason", "dropped");
  const { json, code } = await waiter.end;
  expect(code).toBe(3);
  expect(json.error).toMatchObject({ type: "gate_cancelled", message: expect.stringContaining("dropped") });
  expect(project.forms()).toEqual([]);
  expect((await project.data("show", gate_id)).text_kept).toContain("Looks good, see PR #12");
  expect((await project.error("gate_cancelled", "wait", gate_id)).code).toBe(3);
  await project.error("gate_ended", "withdraw", gate_id);
});

test("an invalid form comes back marked and the wait goes on; with --on-invalid fail it ends", async () => {
  const project = await plannedProject();
  const waiter = project.gate();
  const strict = project.gate("--on-invalid", "fail");
  await Promise.all([waiter.says(WAITS), strict.says(WAITS)]);
  project.save({ "user_required_plan_changes:": "user_required_plan_chnages:", ...DONE });
  await waiter.says(/./);
  const failed = await strict.end;
  expect(failed.code).toBe(4);
  expect(failed.json.error).toMatchObject({ type: "invalid_feedback", issues: [{ file: project.form(), line: expect.any(Number) }] });
  expect(project.readForm()).toContain('# ✗ "user_required_plan_chnages:');
  project.save({ "user_required_plan_chnages:": "user_required_plan_changes:", ...DONE });
  expect((await waiter.end).json.data.proceed).toBe(true);
});

test("a script's exit code says no when the person asks for changes", async () => {
  const project = await plannedProject();
  const waiter = project.gate("--require-approval");
  await waiter.says(WAITS);
  await project.data("answer", "plan_gate", "--set", "1.user_required_changes=Use the design system", "--done");
  const { code, json } = await waiter.end;
  expect(code).toBe(10);
  expect(json.data).toMatchObject({ proceed: false, prompt_changes: [{ prompt_id: "1", user_required_changes: "Use the design system" }] });
  expect(existsSync(join(project.plan, "findings/backend.yaml"))).toBe(true);
  const shown = await project.data("show", json.data.gate_id);
  expect(shown.answered).toMatchObject({ via: "envoy answer", answered_by: "human" });
});

test("a dry run says what a finished form would change and changes nothing", async () => {
  const project = await plannedProject();
  expect(await project.data(...PLAN_GATE, "--dry-run")).toMatchObject({ dry_run: true, fields: [{ path: "thoughts" }, {}, {}, {}] });
  expect(project.forms()).toEqual([]);
  await project.gate("--wait", "1ms").end;
  project.save({ "user_required_plan_changes: |\n  ": "user_required_plan_changes: |\n  Split it", ...THOUGHTS, ...DONE });
  const before = project.readForm();
  const dry = await project.data(...PLAN_GATE, "--dry-run");
  expect(dry.changes).toEqual([
    { change: "say", concerns: "thoughts", text: "Looks good, see PR #12" },
    { change: "say", concerns: "changes to the plan", text: "Split it" },
  ]);
  expect(dry.result.proceed).toBe(false);
  project.write("prompts/1.md", project.read("prompts/1.md").replace("Build the login page", "Build the logout page"));
  const outdated = await project.data(...PLAN_GATE, "--dry-run");
  expect(outdated).not.toHaveProperty("changes");
  expect(outdated.issues).toMatchObject([{ path: "prompt_feedback.1" }]);
  expect(project.readForm()).toBe(before);
});

test("a dry run reads the pasted logs too", async () => {
  const project = await plannedProject();
  await project.data("plan", "complete-prompt", "1");
  const gate = ["plan", "block-prompt-testing-gate", "1"];
  await project.start([...gate, "--wait", "1ms"]).end;
  project.write("user_feedback/1_testing_logs.md", "TypeError: x is undefined");
  project.save({ "test_passed: null": "test_passed: false", ...DONE }, "1_testing");
  expect((await project.data(...gate, "--dry-run")).result).toMatchObject({ passed: false, logs: "TypeError: x is undefined" });
});

describe("subjects that change while the form lies open", () => {
  test("new prompts are added on attach; the person's bytes stay", async () => {
    const project = await plannedProject();
    await project.gate("--wait", "1ms").end;
    project.save(THOUGHTS);
    await project.data("plan", "write-prompt", "3", "--description", "Remember me");
    const waiter = project.gate();
    await waiter.says(WAITS);
    expect(project.readForm()).toContain("# > Remember me");
    expect(project.readForm()).toContain("thoughts: |\n  Looks good, see PR #12");
    await project.data("answer", "plan_gate", "--set", "3.user_required_changes=Not now", "--done");
    expect((await waiter.end).json.data.prompt_changes).toEqual([{ prompt_id: "3", user_required_changes: "Not now" }]);
  });

  test("a rewritten prompt hands a finished form back with the new description and a mark", async () => {
    const project = await plannedProject();
    const waiter = project.gate();
    await waiter.says(WAITS);
    await project.data("plan", "write-prompt", "1", "--description", "Build something else");
    project.save(DONE);
    await waiter.says(/handed back/);
    expect(project.readForm()).toMatch(/# > Build something else\n\s*# ✗ The agent has rewritten this/);
    project.save(DONE);
    expect((await waiter.end).json.data.proceed).toBe(true);
  });

  test("text for a prompt that is gone is kept and goes into the trail marked so", async () => {
    const project = await plannedProject();
    await project.gate("--wait", "1ms").end;
    await project.data("answer", "plan_gate", "--set", "2.user_required_changes=Use Postgres instead");
    await project.data("plan", "clear-prompt", "2");
    const waiter = project.gate();
    await waiter.says(WAITS);
    expect(project.readForm()).toContain("Use Postgres instead");
    project.save(DONE);
    const { json } = await waiter.end;
    expect(json.data.prompt_changes).toBeUndefined();
    expect(project.read("user_input.md")).toMatch(/prompt 2 \(which no longer exists\)[^]*Use Postgres instead/);
  });
});

test("several waiters on one gate all get the same decision, applied once", async () => {
  const project = await plannedProject();
  const waiters = Array.from({ length: 6 }, () => project.gate());
  await Promise.all(waiters.map((waiter) => waiter.says(WAITS)));
  const [killed1, killed2, ...living] = waiters;
  project.save({ ...THOUGHTS, ...DONE });
  await Promise.all([killed1!.kill(), killed2!.kill()]);
  const runs = await Promise.all(living.map((waiter) => waiter.end));
  for (const run of runs) expect(run.json.data).toEqual(runs[0]!.json.data);
  expect(project.read("user_input.md").match(/Looks good, see PR #12/g)).toHaveLength(1);
});

test("a half-saved form is never taken for an answer", async () => {
  const project = await plannedProject();
  const waiter = project.gate();
  await waiter.says(WAITS);
  const answered = project.readForm().replace("done: false", "done: true");
  truncateSync(project.form(), 0);
  writeFileSync(project.form(), answered.slice(0, answered.indexOf("# end of form")));
  writeFileSync(project.form(), answered);
  expect((await waiter.end).json.data.proceed).toBe(true);
});

test("a folder or a link in the form's place is named, and the gate stays open", async () => {
  const project = await plannedProject();
  await project.gate("--wait", "1ms").end;
  const text = project.readForm();
  rmSync(project.form());
  mkdirSync(project.form());
  await project.error("unsafe_path", ...PLAN_GATE);
  rmSync(project.form(), { recursive: true });
  writeFileSync(join(project.root, "elsewhere.yaml"), text.replace("done: false", "done: true"));
  symlinkSync(join(project.root, "elsewhere.yaml"), project.form());
  await project.error("unsafe_path", ...PLAN_GATE);
  rmSync(project.form());
  expect((await project.gate("--wait", "1ms").end).json.status).toBe("pending");
});

test("a gate belongs to its plan, whatever is stashed, checked out or renamed meanwhile", async () => {
  const project = await plannedProject();
  writeFileSync(join(project.root, "work.txt"), "in progress");
  const waiter = project.gate();
  await waiter.says(WAITS);
  git(project.root, "stash", "-u");
  git(project.root, "checkout", "-q", "-b", "other");
  git(project.root, "branch", "-m", "feature/login", "feature/sign-in");
  project.save(DONE);
  const { json } = await waiter.end;
  expect(json.data.proceed).toBe(true);
  expect(project.read("findings/_archive/backend.yaml")).toContain("Sessions");
});

test("a name that fits no gate, or two, is refused with what is open", async () => {
  const project = await plannedProject();
  expect((await project.error("gate_not_found", "wait", "nonsense")).code).toBe(3);
  await project.gate("--wait", "1ms").end;
  git(project.root, "checkout", "-q", "-b", "feature/other");
  await project.data("plan", "init");
  await project.data("plan", "write-prompt", "1", "--description", "Another plan's");
  await project.gate("--wait", "1ms").end;
  const { code, message } = await project.error("ambiguous_id", "show", "plan_gate");
  expect(code).toBe(2);
  expect(message).toContain("feature-login/plan_gate");
  expect(await project.data("show", "feature-login/plan_gate")).toMatchObject({ plan: "feature-login", gate_status: "open" });
  expect((await project.data("inbox")).inbox).toHaveLength(2);
});

test("answering fills in a form whose file was deleted", async () => {
  const project = await plannedProject();
  await project.gate("--wait", "1ms").end;
  rmSync(project.form());
  expect(await project.data("answer", "plan_gate", "--done")).toMatchObject({ accepted: true });
});

test("withdrawing keeps the logs that a person has pasted", async () => {
  const project = await plannedProject();
  await project.start(["plan", "block-debugging-logging-gate", "1", "--wait", "1ms"]).end;
  writeFileSync(join(project.plan, "user_feedback/1_logging_logs.md"), "Error: out of memory\n");
  await project.data("withdraw", "1_logging");
  expect(project.forms()).toEqual([]);
  const aside = join(project.root, ".envoy/state/aside");
  expect(readdirSync(aside).map((name) => readFileSync(join(aside, name), "utf8"))).toEqual(["Error: out of memory\n"]);
});

test("a heartbeat says at intervals that nobody has answered, for harnesses that end silent commands", async () => {
  const project = await plannedProject();
  const waiter = project.start(PLAN_GATE, { ENVOY_HEARTBEAT: "50ms" });
  await waiter.says(/still waiting[^]*still waiting/);
  project.save(DONE);
  expect((await waiter.end).json.data.proceed).toBe(true);
  const all = { GEMINI_CLI: "1", ENVOY_HEARTBEAT: undefined } as unknown as Environment;
  expect(heartbeatOf(all)).toBe(240_000);
  expect(heartbeatOf({ ...all, ENVOY_HEARTBEAT: 1000 })).toBe(1000);
  expect(heartbeatOf({ ...all, GEMINI_CLI: undefined })).toBeUndefined();
});

test("what a killed writer left beside the forms is cleared away once it is surely abandoned", async () => {
  const project = await plannedProject();
  const [old, fresh] = ["a", "b"].map((letter) => join(project.plan, "user_feedback", `.envoy-${letter.repeat(24)}.tmp`)) as [
    string,
    string,
  ];
  writeFileSync(old, "half a form");
  writeFileSync(fresh, "half a form");
  utimesSync(old, new Date(0), new Date(0));
  await project.data("plan", "list-prompts");
  expect([existsSync(old), existsSync(fresh)]).toEqual([false, true]);
});
