import { execFileSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { DONE, PLAN_GATE, type PlannedProject, plannedProject } from "../support/planned.ts";
import { envoy } from "../support/envoy.ts";
import { temporaryFolder } from "../support/project.ts";

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));

/** T: stopped. */
const stateOf = (pid: number | undefined): string => execFileSync("ps", ["-o", "state=", "-p", String(pid)], { encoding: "utf8" });

test("what an editor writes while its form is withdrawn is still there", async () => {
  const project = await plannedProject();
  await project.gate("--wait", "1ms").end;
  const whole = project.readForm().replace("thoughts: |\n  ", "thoughts: |\n  Precious words");
  const editor = openSync(project.form(), "w"); // an editor empties the file, then writes
  await project.data("withdraw", "plan_gate");
  writeSync(editor, whole);
  closeSync(editor);
  expect(filesBelow(join(project.root, ".envoy")).join()).toContain("Precious words");
});

test("nothing outside is removed where a link stands for the forms' folder", async () => {
  const project = await plannedProject();
  const outside = temporaryFolder();
  const file = join(outside, `.envoy-${"0".repeat(24)}.tmp`);
  writeFileSync(file, "theirs");
  utimesSync(file, new Date(0), new Date(0));
  rmSync(join(project.plan, "user_feedback"), { recursive: true });
  symlinkSync(outside, join(project.plan, "user_feedback"));
  await project.error("unsafe_path", "plan", "list-prompts");
  expect(existsSync(file)).toBe(true);
});

test("a form that shows a prompt which is gone is judged by the rest, wherever the process died", async () => {
  const project = await plannedProject();
  await project.gate("--wait", "1ms").end;
  const before = project.readForm();
  rmSync(join(project.plan, "prompts/2.md"));
  await project.gate("--wait", "1ms").end;
  expect(project.readForm()).not.toContain("Redis");
  writeFileSync(project.form(), before.replace("thoughts: |\n  ", "thoughts: |\n  Fine").replace("done: false", "done: true"));
  expect(await project.data(...PLAN_GATE)).toMatchObject({ proceed: true, thoughts: "Fine" });
});

test("an entry stands once in a trail that was saved with other line ends in between", async () => {
  const project = await plannedProject();
  await project.gate("--wait", "1ms").end;
  project.save({ "thoughts: |\n  ": "thoughts: |\n  My words", ...DONE });
  await project.start(PLAN_GATE, { ENVOY_FAILPOINT: "form.take=kill" }).end;
  project.write("user_input.md", project.read("user_input.md").replaceAll("\n", "\r\n"));
  await project.data(...PLAN_GATE);
  expect(project.read("user_input.md").match(/My words/g)).toHaveLength(1);
});

describe("a record that was damaged by hand", () => {
  const damages: [string, (fact: any) => void][] = [
    ["a deadline that is no time", (fact) => (fact.deadline = "soon")],
    ["a form without text", (fact) => delete fact.form.written],
    ["a kind that does not exist", (fact) => (fact.kind = "constructor")],
    ["a plan that is a number", (fact) => (fact.plan = 7)],
    ["a description that is none", (fact) => (fact.form.description = "?")],
  ];
  test.each(damages)("with %s is named, and stops no other command", async (_what, damage) => {
    const project = await plannedProject();
    const { gate_id } = (await project.gate("--wait", "1ms").end).json.data;
    const file = join(project.root, ".envoy/state/gates", gate_id, "00001.json");
    const fact = JSON.parse(readFileSync(file, "utf8"));
    damage(fact);
    writeFileSync(file, JSON.stringify(fact));
    project.save(DONE);
    await project.error("invalid_file", "wait", gate_id);
    for (const command of [["inbox"], ["plan", "list-prompts"]]) expect((await project.envoy(...command)).code).toBe(0);
    expect(existsSync(project.form())).toBe(true);
  });

  test("by a fact that only a later envoy knows is not passed over", async () => {
    const project = await plannedProject();
    const { gate_id } = (await project.gate("--wait", "1ms").end).json.data;
    const folder = join(project.root, ".envoy/state/gates", gate_id);
    const fact = JSON.parse(readFileSync(join(folder, "00001.json"), "utf8"));
    writeFileSync(join(folder, "00002.json"), JSON.stringify({ ...fact, type: "delegated" }));
    project.save(DONE);
    expect((await project.error("invalid_file", "wait", gate_id)).issues[0].message).toContain("delegated");
  });
});

test("a holder that was stopped while somebody else finished its gate looks again and tells the same", async () => {
  const project = await plannedProject();
  const { gate_id } = (await project.gate("--wait", "1ms").end).json.data;
  project.save(DONE);
  const stopped = project.start(["wait", gate_id], { ENVOY_FAILPOINT: "gate.answer=stop" });
  await vi.waitUntil(() => stateOf(stopped.child.pid).startsWith("T"), { timeout: 30_000, interval: 10 });
  const locks = join(project.root, ".envoy/state/locks");
  for (const name of readdirSync(locks)) rmSync(join(locks, name));
  const other = await project.data(...PLAN_GATE);
  stopped.child.kill("SIGCONT");
  const { code, json } = await stopped.end;
  expect(code).toBe(0);
  expect(json.data).toEqual(other);
});

test("a form larger than any person writes goes aside, and the form comes back", async () => {
  const project = await plannedProject();
  await project.gate("--wait", "1ms").end;
  writeFileSync(project.form(), Buffer.concat([Buffer.alloc(40_000_000), Buffer.from("\ndone: true\n")]));
  const { json } = await project.gate("--wait", "1ms").end;
  expect(json.data).toMatchObject({ form: "handed_back" });
  expect(existsSync(/kept in (\S+\.yaml)/.exec(json.data.issues[0].message)![1]!)).toBe(true);
  project.save(DONE);
  expect(await project.data(...PLAN_GATE)).toMatchObject({ proceed: true });
});

describe("subjects that went while their form lay open", () => {
  const open = async (project: PlannedProject, command: string[]) => (await project.start([...command, "--wait", "1ms"]).end).json.data;

  test("a variant that is gone cannot be chosen", async () => {
    const project = await plannedProject();
    for (const variant of ["A", "B"]) await project.data("plan", "write-prompt", "3", variant, "--description", variant);
    for (const variant of ["A", "B"]) await project.data("plan", "complete-prompt", "3", variant);
    const gate = ["plan", "block-prompt-variants-gate", "3", "A"];
    await open(project, gate);
    await project.data("plan", "clear-prompt", "3", "B");
    await open(project, gate);
    expect(project.readForm("3_variants")).not.toMatch(/^ {2}B:/m);
    project.save({ "decision: null": "decision: main", ...DONE }, "3_variants");
    expect(await project.data(...gate)).toMatchObject({ variant_solution: "main" });
  });

  test("a plan gate goes on without its prompts, and what was said about them is marked", async () => {
    const project = await plannedProject();
    await open(project, PLAN_GATE);
    const change = { "1:\n    # What must change in this prompt; empty if nothing\n    user_required_changes: |\n      ": "" };
    const [from] = Object.keys(change) as [string];
    project.save({ [from]: `${from}Use the design system` });
    for (const n of ["1", "2"]) await project.data("plan", "clear-prompt", n);
    expect(await open(project, PLAN_GATE)).toMatchObject({ gate: "plan_gate", form: "begun" });
    project.save(DONE);
    expect(await project.data(...PLAN_GATE)).toMatchObject({ proceed: false });
    expect(project.read("user_input.md")).toContain("changes to prompt 1 (which no longer exists)");
  });

  test("an answer to a question that is asked no longer is marked, and not passed off as asked", async () => {
    const project = await plannedProject();
    const write = (...questions: string[]) =>
      project.data("plan", "write-approach", "backend", "1", "--description", "Redis", ...questions.flatMap((q) => ["--question", q]));
    await write("Which version?", "Which host?");
    const gate = ["plan", "block-findings-gate"];
    await open(project, gate);
    await project.data("answer", "findings_gate", "--set", "backend_1.question_answers[0].answer=Seven");
    await write("Which host?");
    await open(project, gate);
    await project.data("answer", "findings_gate", "--set", "backend_1.question_answers[0].answer=db1").catch(() => undefined);
    project.save({ "done: false": "done: true" }, "findings_gate");
    await project.data(...gate);
    expect(project.read("user_input.md")).toContain("a question of backend_1 (which is asked no longer)");
    expect(project.read("findings/backend.yaml")).not.toContain("Seven");
  });
});

test("a folder of links in the place of the records is named, not taken for an empty inbox", async () => {
  const project = await plannedProject();
  await project.gate("--wait", "1ms").end;
  const gates = join(project.root, ".envoy/state/gates");
  const outside = temporaryFolder();
  mkdirSync(join(outside, "gates"));
  rmSync(gates, { recursive: true });
  symlinkSync(join(outside, "gates"), gates);
  await project.error("unsafe_path", "inbox");
});

test("a pass counts for what was tested, not for what was set to tested by hand later", async () => {
  const project = await plannedProject();
  const gate = ["plan", "block-prompt-testing-gate", "1"];
  await project.data("plan", "complete-prompt", "1");
  await project.start([...gate, "--wait", "1ms"]).end;
  project.save({ "test_passed: null": "test_passed: true", ...DONE }, "1_testing");
  await project.data(...gate);
  expect(await project.data(...gate)).toMatchObject({ passed: true, replayed: true });
  await project.data("plan", "set-prompt-status", "1", "--status", "implemented");
  await project.data("plan", "set-prompt-status", "1", "--status", "tested");
  expect((await project.error("prompt_not_implemented", ...gate)).code).toBe(3);
});

test("the inbox tells of a form that was saved again after it was accepted", async () => {
  const project = await plannedProject();
  await project.gate("--wait", "1ms").end;
  project.save(DONE);
  const accepted = project.readForm();
  await project.data(...PLAN_GATE);
  writeFileSync(project.form(), accepted);
  const { json, stderr } = await project.envoy("inbox");
  expect(json.data).toEqual({});
  expect(stderr).toMatch(/plan_gate.yaml was saved again after g_\w+ was answered; that changes nothing/);
  expect(project.forms()).toEqual([]);
});

test("a text for a form of several fields is refused, not dropped", async () => {
  const project = await plannedProject();
  await project.gate("--wait", "1ms").end;
  expect((await project.error("missing_argument", "answer", "plan_gate", "Looks good", "--done")).message).toContain("envoy show g_");
  expect((await project.gate("--wait", "1ms").end).json.data.form).toBe("untouched");
});

test("the command that starts a new period starts it from where the agent stands", async () => {
  const project = await plannedProject();
  const from = temporaryFolder();
  const gate = ["-C", project.root, ...PLAN_GATE, "--timeout", "1ms"];
  const { json } = await envoy(gate, { cwd: from });
  expect(json.error).toMatchObject({
    type: "timeout",
    suggestion: expect.stringContaining(`envoy -C ${project.root} plan block-plan-gate`),
  });
});
