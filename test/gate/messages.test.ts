// Someone who sees only stdout and stderr knows what to do next: every command that is named there exists, and those to
// be run next run as they stand.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../commands/index.ts";
import { type Run, envoy } from "../support/envoy.ts";
import { DONE, type PlannedProject, plannedProject } from "../support/planned.ts";
import { git, newProject, temporaryFolder } from "../support/project.ts";
import { inShell } from "../support/shell.ts";
import { WAITS } from "../support/waiter.ts";

const typed = async (cwd: string, line: string) => JSON.parse((await inShell(cwd, line)).stdout);

const quotedIn = (text: string): string[] => [...text.matchAll(/`(envoy [^`]*)`/g)].map(([, line]) => line!);
const theOne = (lines: string[]): string => {
  expect(lines).toHaveLength(1);
  return lines[0]!;
};

/** Everything an agent may take for a command: in backticks, in `next`, in `resume`. */
function namedCommands({ stdout, stderr }: Run): string[] {
  const { data = {}, error = {} } = stdout ? JSON.parse(stdout) : {};
  const texts: string[] = [data.message, error.suggestion, stderr].filter((text) => text !== undefined);
  const lines = [...texts.flatMap(quotedIn), ...(stderr.match(/(?<=resume: ).*/g) ?? []), ...(data.resume ? [data.resume] : [])];
  return [...lines, ...(String(data.next ?? "").match(/envoy [a-z][^.;,]*/g) ?? [])];
}

/** One situation: what it says must name only commands that exist. */
function told(run: Run): Run {
  for (const line of namedCommands(run)) {
    const [, first = "", second = ""] = /^envoy (?:-C (?:'(?:[^']|'\\'')*'|\S+) )?(\S+)(?: (\S+))?/.exec(line) ?? [];
    expect({ line, exists: first in COMMANDS || `${first} ${second}` in COMMANDS }).toEqual({ line, exists: true });
  }
  return run;
}

const resumeIn = (stderr: string) => /resume: (.*)/.exec(stderr)![1]!;
const TESTING = ["plan", "block-prompt-testing-gate", "1"];

async function implemented(): Promise<PlannedProject> {
  const project = await plannedProject();
  await project.data("plan", "complete-prompt", "1");
  return project;
}

describe("an agent that sees only stdout and stderr", () => {
  test("knows after a kill where the form is, that nobody has answered, and what to run", async () => {
    const project = await plannedProject();
    const waiter = project.gate("--require-approval");
    await waiter.says(/resume: .*\n/);
    const { stderr, stdout } = told(await waiter.kill());
    expect(stdout).toBe("");
    expect(stderr).toMatch(/opened plan_gate \(g_\w+\)\. No person has answered yet; waiting, for 12 h at most\./);
    expect(stderr).toContain(`form:   ${project.form()}`);
    project.save(DONE);
    expect(await typed(project.root, resumeIn(stderr))).toMatchObject({ status: "success", data: { proceed: true } });
  });

  test("is told the same on attaching", async () => {
    const project = await plannedProject();
    await project.gate("--wait", "1ms").end;
    const waiter = project.gate();
    await waiter.says(/resume: .*\n/);
    const { stderr, json } = told(await waiter.kill("SIGTERM"));
    expect(stderr).toMatch(/attached to plan_gate \(g_\w+\)\. No person has answered yet/);
    expect(json).toMatchObject({
      status: "pending",
      data: { form: "untouched", message: expect.stringContaining("No person has answered") },
    });
    project.save(DONE);
    expect(await typed(project.root, json.data.resume)).toMatchObject({ data: { proceed: true } });
  });

  test("can resume from wherever it ran, whatever the folder is called", async () => {
    const project = await plannedProject();
    const moved = join(temporaryFolder(), "it's a project");
    git(project.root, "clone", "-q", ".", moved);
    git(moved, "checkout", "-q", "-b", "feature/x");
    const elsewhere = temporaryFolder();
    const run = (...args: string[]) => envoy(["-C", moved, ...args], { cwd: elsewhere });
    await run("plan", "init");
    await run("plan", "write-prompt", "1", "--description", "x");
    const { json } = told(await run("plan", "block-plan-gate", "--wait", "1ms"));
    expect(await typed(elsewhere, json.data.resume)).toMatchObject({ status: "pending", data: { gate_id: json.data.gate_id } });
  });

  test("sees in pending that the form was handed back, and why", async () => {
    const project = await plannedProject();
    await project.gate("--wait", "1ms").end;
    project.save({ "done: false": "done: perhaps" });
    const { json, stderr } = told(await project.gate("--wait", "1ms").end);
    expect(json.data).toMatchObject({
      form: "handed_back",
      message: expect.stringContaining("nothing is decided yet"),
      issues: [{ file: project.form(), line: expect.any(Number), column: expect.any(Number), message: expect.stringContaining("done") }],
    });
    expect(stderr).toContain(`${project.form()}:${json.data.issues[0].line}:${json.data.issues[0].column}: `);
  });

  test("with --on-invalid fail gets an error that says what to correct and how to go on", async () => {
    const project = await plannedProject();
    await project.gate("--wait", "1ms").end;
    project.save({ "done: false": "done: perhaps" });
    const { json, code } = told(await project.gate("--on-invalid", "fail").end);
    expect(code).toBe(4);
    expect(json.error).toMatchObject({ type: "invalid_feedback", issues: [{ path: "done" }] });
    project.save(DONE);
    expect(await typed(project.root, theOne(quotedIn(json.error.suggestion)))).toMatchObject({ data: { proceed: true } });
  });

  test("reads in a result what was decided, whether to go on, and with what", async () => {
    const project = await plannedProject();
    await project.gate("--wait", "1ms").end;
    project.save({ "user_required_plan_changes: |\n  ": "user_required_plan_changes: |\n  Split it", ...DONE });
    const { json } = told(await project.gate().end);
    expect(json.data).toMatchObject({
      proceed: false,
      summary: "The person asks for changes before the work begins.",
      next: expect.stringContaining("envoy plan block-plan-gate"),
    });
  });

  test("reads after the deadline that silence is no consent, and what starts a new period", async () => {
    const project = await plannedProject();
    const { json, code } = told(await project.gate("--timeout", "1ms").end);
    expect(code).toBe(124);
    expect(json.error.message).toMatch(/no consent.*still open/);
    project.save(DONE);
    const late = await typed(project.root, theOne(quotedIn(json.error.suggestion)));
    expect(late.data).toMatchObject({ proceed: true, late: true });
  });

  test("is told the same by envoy wait, with a command that waits on", async () => {
    const project = await plannedProject();
    await project.gate("--timeout", "1ms").end;
    const { inbox } = await project.data("inbox");
    const { json } = told(await project.envoy("wait", inbox[0].gate_id));
    expect(json.error.type).toBe("timeout");
    project.save(DONE);
    expect(await typed(project.root, theOne(quotedIn(json.error.suggestion)))).toMatchObject({ data: { proceed: true } });
  });

  test("sees that a result is an old one", async () => {
    const project = await implemented();
    await project.envoy(...TESTING, "--wait", "1ms");
    await project.data("answer", "1_testing", "--set", "test_passed=true", "--done");
    const first = told(await project.envoy(...TESTING)).json.data;
    const again = told(await project.envoy(...TESTING)).json.data;
    expect(first.replayed).toBeUndefined();
    expect(again).toEqual({ ...first, replayed: true });
  });

  test("sees that nobody was asked, which is no approval", async () => {
    const project = await newProject();
    const { json, code } = told(await project.envoy("plan", "block-findings-gate", "--require-approval"));
    expect(json.data).toMatchObject({ skipped: true, summary: expect.stringContaining("Nobody was asked") });
    expect(json.data).not.toHaveProperty("proceed");
    expect(code).toBe(10);
  });

  test("who expected findings where there are none is told how to see what was kept, and only there", async () => {
    const project = await newProject();
    const { json } = told(await project.envoy("plan", "block-findings-gate"));
    expect(json.data.next).toMatch(/^Go on; .* If findings were expected, write-finding may have failed: envoy plan get-findings /);
    await project.data("plan", "write-prompt", "1", "--description", "x");
    const other = told(await project.envoy("plan", "block-prompt-variants-gate", "1")).json.data;
    expect(other).toMatchObject({ skipped: true, next: "Go on; there is nothing to decide here." });
  });

  test("learns that its gate was withdrawn, where its text is, and that nobody decided", async () => {
    const project = await plannedProject();
    const waiter = project.gate();
    await waiter.says(WAITS);
    project.save({ "thoughts: |\n  ": "thoughts: |\n  Half a thought" });
    await project.data("withdraw", "plan_gate", "--reason", "The feature was dropped.");
    const { json, code } = told(await waiter.end);
    expect(code).toBe(3);
    expect(json.error).toMatchObject({
      type: "gate_cancelled",
      message: expect.stringContaining("The feature was dropped. Nobody has decided"),
    });
    const shown = await typed(project.root, theOne(quotedIn(json.error.suggestion)));
    expect(shown.data).toMatchObject({ gate_status: "withdrawn", text_kept: expect.stringContaining("Half a thought") });
  });

  test("who names no variant is told which there are, with the command for each", async () => {
    const project = await newProject();
    for (const variant of ["A", "B"]) await project.data("plan", "write-prompt", "1", variant, "--description", variant);
    for (const variant of ["A", "B"]) await project.data("plan", "complete-prompt", "1", variant);
    const { json, code } = told(await project.envoy("plan", "block-prompt-variants-gate", "1"));
    expect([json.error.type, code]).toEqual(["missing_argument", 2]);
    expect(json.error.message).toContain("needs <variant>: ");
    const [, ...commands] = quotedIn(json.error.message);
    expect(commands).toEqual(["A", "B"].map((variant) => `envoy plan block-prompt-variants-gate 1 ${variant}`));
    expect(await typed(project.root, `${commands[1]} --wait 1ms || true`)).toMatchObject({ status: "pending" });
  });

  test("is told which variants are not ready, and how to go on waiting for them", async () => {
    const project = await newProject();
    for (const variant of ["A", "B"]) await project.data("plan", "write-prompt", "2", variant, "--description", variant);
    await project.data("plan", "complete-prompt", "2", "A");
    const gate = ["plan", "block-prompt-variants-gate", "2", "A"];
    const { json, stderr, code } = told(await project.envoy(...gate, "--wait", "1ms"));
    expect(code).toBe(75);
    expect(json.data).toMatchObject({ waiting_for: [expect.stringContaining("2_B")], message: expect.stringContaining("waiting_for") });
    expect(stderr).toContain("2_B");
    expect(await typed(project.root, json.data.resume)).toMatchObject({ status: "pending" });
    const late = told(await project.envoy(...gate, "--timeout", "1ms")).json.error;
    expect(late.type).toBe("not_ready");
    expect(await typed(project.root, theOne(quotedIn(late.suggestion)))).toMatchObject({ status: "success" });
  });

  test.each([
    { situation: "there is no plan", init: false, args: ["plan", "block-plan-gate"], type: "no_plan" },
    { situation: "the plan has no prompts", init: true, args: ["plan", "block-plan-gate"], type: "no_prompts" },
    { situation: "no gate has this name", init: true, args: ["wait", "plan_gate"], type: "gate_not_found" },
    { situation: "a command does not exist", init: true, args: ["plan", "block-plan"], type: "unknown_command" },
  ])("learns from the error what to run when $situation", async ({ init, args, type }) => {
    const project = await newProject({ init });
    const { json } = told(await project.envoy(...args));
    expect(json.error.type).toBe(type);
    expect(json.error.suggestion).toMatch(/envoy [a-z]/);
  });

  test("finds the gate that had a name, though none of that name is open", async () => {
    const project = await plannedProject();
    await project.gate("--wait", "1ms").end;
    project.save(DONE);
    const { gate_id } = (await project.gate().end).json.data;
    const { json } = told(await project.envoy("show", "plan_gate"));
    expect(json.error.type).toBe("gate_not_found");
    expect(await typed(project.root, quotedIn(json.error.suggestion)[0]!)).toMatchObject({ data: { gate_id, gate_status: "answered" } });
  });

  test("learns of a question whose time is over that a person can still answer it, how, and what an agent can do", async () => {
    const project = await newProject();
    const ask = ["ask", "Redis?", "--agent", "a1"];
    const { json, code } = told(await project.envoy(...ask, "--timeout", "1ms"));
    expect([json.error.type, code]).toEqual(["question_expired", 124]);
    expect(json.error.suggestion).toMatch(/^A person can still answer: .* An agent does not answer; asking again with the same words/);
    const again = told(await project.envoy(...ask, "--wait", "1ms")).json.data;
    const command = theOne(quotedIn(json.error.suggestion));
    expect(command).toContain(again.question_id);
    const answered = await typed(project.root, `EDITOR="sed -i '1i Yes'" ${command}`);
    expect(answered).toMatchObject({ data: { question_id: again.question_id, question_status: "answered" } });
  });

  test.each([
    { id: "plan_gate", type: "gate_not_found" },
    { id: "q_7k2m9xq4twe", type: "question_not_found" },
  ])("outside any project learns that it is in the wrong folder, not that $id is nowhere", async ({ id, type }) => {
    const cwd = temporaryFolder();
    for (const command of ["show", "wait", "answer", "withdraw"]) {
      const { json, code } = told(await envoy([command, id], { cwd }));
      expect([json.error.type, code]).toEqual([type, 3]);
      expect(json.error.message).toContain(`There is no envoy project in ${cwd}.`);
      expect(json.error.suggestion).toMatch(/in the project's folder, or .* `envoy -C <project> inbox`/);
    }
    expect(readdirSync(cwd)).toEqual([]);
  });

  test("sees in status a command for everything that is open, which a person can paste from anywhere", async () => {
    const root = join(temporaryFolder(), 'it\'s an "odd" name');
    git(temporaryFolder(), "init", "-q", root);
    git(root, "commit", "-q", "--allow-empty", "-m", "first");
    const elsewhere = temporaryFolder();
    const run = (...args: string[]) => envoy(["-C", root, ...args], { cwd: elsewhere });
    for (const branch of ["feature/a", "feature/b"]) {
      git(root, "checkout", "-q", "-b", branch);
      await run("plan", "init");
      await run("plan", "write-prompt", "1", "--description", "x");
      await run("plan", "block-plan-gate", "--wait", "1ms");
    }
    await run("ask", "Which?", "--no-wait");
    const { gates, questions } = told(await run("status")).json.data;
    expect(gates).toHaveLength(2);
    const finishes = `sed -i 's/^done: false/done: true/'`;
    for (const { next, gate_id } of gates)
      expect(await typed(elsewhere, `EDITOR="${finishes}" ${next}`)).toMatchObject({ data: { gate_id, accepted: true } });
    expect(await typed(elsewhere, `EDITOR="sed -i '1i Redis'" ${questions[0].next}`)).toMatchObject({
      data: { question_status: "answered" },
    });
  });

  test("is told what a field takes when a script sets something else, and that a field is not there only when it is not", async () => {
    const project = await implemented();
    await project.envoy(...TESTING, "--wait", "1ms");
    const set = (path: string) => project.envoy("answer", "1_testing", "--set", path, "--done");
    const { json, code } = told(await set("test_passed=maybe"));
    expect(code).toBe(4);
    expect(json.error).toMatchObject({
      type: "invalid_input",
      message: `--set is not valid: test_passed: "maybe" is neither yes nor no. Write true or false.`,
      issues: [{ path: "test_passed" }],
    });
    expect(told(await set("passed=true")).json.error).toMatchObject({ type: "unknown_field", issues: [{ path: "passed" }] });
    project.save({ "test_passed: null\n": "" }, "1_testing");
    const unclear = told(await set("test_passed=true")).json.error;
    expect(unclear).toMatchObject({ type: "invalid_file", message: expect.stringContaining(project.form("1_testing")) });
    expect(unclear.message).toContain("the marks will say why");
  });

  test("learns which command makes a prompt fit to be tested", async () => {
    const project = await plannedProject();
    const { json } = told(await project.envoy(...TESTING));
    expect(json.error.type).toBe("prompt_not_implemented");
    expect(await typed(project.root, theOne(quotedIn(json.error.suggestion)))).toMatchObject({ status: "success" });
    expect((await project.envoy(...TESTING, "--wait", "1ms")).json.status).toBe("pending");
  });
});
