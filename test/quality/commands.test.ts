// A task's gates through the built binary, with real commands, real reviewers and a person who answers in files.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isAlive } from "../support/processes.ts";
import { git } from "../support/project.ts";
import { APPROVAL, TESTS, logged, qualityProject, reviewer, untilFile } from "../support/quality.ts";
import { WAITS } from "../support/waiter.ts";

const REVIEW = `{ name: code_review, type: parallel_review, dimensions: [correctness, security], reviewer: ${JSON.stringify(`echo review >> "$LOG"; ${reviewer("finds.mjs")}`)} }`;

describe("an agent that says it is done", () => {
  it("gets feedback until its tests and its review pass, and is then in the merge queue", async () => {
    const project = qualityProject([logged("tests", TESTS, ", serial: true"), REVIEW]);
    const failed = await project.gates();
    expect(failed.code).toBe(10);
    expect(failed.json.data).toMatchObject({
      task_id: "feature-sum",
      outcome: "failed",
      iteration: 1,
      proceed: false,
      gates: [
        { name: "tests", outcome: "failed" },
        { name: "code_review", outcome: "skipped" },
      ],
      feedback: [{ gate_name: "tests", findings: [{ priority: "P1", issue: expect.stringContaining("-1 !== 5") }] }],
      next_agent: { kind: "same", prompt: expect.stringContaining("-1 !== 5") },
    });
    expect(failed.stderr).toMatch(/tests: started[\s\S]*tests: failed with exit code 1/);

    project.edit("src/sum.js", "// FIXME: check the types\nexport const sum = (a, b) => a + b;\n");
    const reviewed = await project.run("checkpoint", "--done", "--summary", "The sign was wrong");
    expect(reviewed.code).toBe(10);
    expect(reviewed.json.data).toMatchObject({
      iteration: 2,
      feedback: [{ gate_name: "code_review", findings: [{ location: { file: "src/sum.js", line: 1 } }] }],
      next_agent: { kind: "fresh", prompt: expect.stringContaining("The sign was wrong") },
    });

    project.mend();
    const passed = await project.run("checkpoint", "--done");
    expect(passed.code).toBe(0);
    expect(passed.json.data).toMatchObject({ outcome: "passed", iteration: 3, proceed: true });
    const queue = (await project.run("task", "list", "--status", "ready_to_merge")).json.data.tasks;
    expect(queue).toMatchObject([{ task_id: "feature-sum" }]);
    const told = project.events();
    const [begins, gate] = ["gate_evaluation_started", "gate_completed"];
    const first = [begins, gate, "gate_failed_retrying"];
    const second = ["task_completion_signaled", begins, gate, gate, "gate_failed_retrying"];
    const third = ["task_completion_signaled", begins, gate, gate, "all_gates_passed"];
    expect(told.map(({ event }) => event)).toEqual([...first, ...second, ...third]);
    expect(told.at(-1)).toMatchObject({ task_id: "feature-sum", iteration: 3, commit: git(project.root, "rev-parse", "HEAD") });
    expect(await project.status()).toMatchObject({
      phase: "gates_passed",
      rounds: [{ outcome: "failed_with_retry" }, { outcome: "failed_with_retry" }, { outcome: "passed" }],
    });
  });

  it("is told again that it has passed, without another run, until it changes something", async () => {
    const project = qualityProject([logged("tests", TESTS)]);
    project.mend();
    await project.gates();
    expect((await project.gates()).json.data).toMatchObject({ outcome: "passed", iteration: 1 });
    expect(project.log()).toEqual(["tests"]);
    project.edit("src/more.js", "");
    project.edit("src/sum.js", "");
    expect((await project.gates()).json.data).toMatchObject({ outcome: "failed" });
    expect(await project.taskStatus()).toBe("in_progress");
  });

  it("stands in the merge queue behind those that were ready before it", async () => {
    const project = qualityProject([logged("tests", "true")]);
    for (const id of ["older", "newer"]) await project.run("task", "set", id);
    for (const id of ["newer", "older"]) await project.gates("--task", id);
    const queue = (await project.run("task", "list", "--status", "ready_to_merge")).json.data.tasks;
    expect(queue.map(({ task_id }: any) => task_id)).toEqual(["newer", "older"]);
  });

  it("leaves its summary and its confidence for whoever goes on", async () => {
    const project = qualityProject([logged("tests", TESTS)]);
    project.edit("notes.txt", "half done");
    const said = await project.run("checkpoint", "--summary", "Half of it", "--confidence", "0.4", "--context-exhausted");
    expect(said.json.data).toMatchObject({ work_summary: "Half of it", confidence: 0.4, context_exhausted: true });
    expect(said.json.data.files_modified).toContain("notes.txt");
    expect(project.log()).toEqual([]);
    expect((await project.gates()).json.data.next_agent).toMatchObject({ kind: "fresh", prompt: expect.stringContaining("Half of it") });
    const wrong = await project.run("checkpoint", "--confidence", "high");
    expect(wrong.json.error).toMatchObject({ type: "invalid_argument" });
  });

  it("has its gates run where the task's work lies", async () => {
    const project = qualityProject([logged("tests", TESTS)]);
    const elsewhere = qualityProject([]);
    elsewhere.mend();
    await project.run("task", "set", "sum", "--dir", elsewhere.root);
    expect((await project.gates("--task", "sum")).json.data).toMatchObject({ task_id: "sum", outcome: "passed" });
    await project.run("task", "set", "sum", "--dir", "/nowhere");
    expect((await project.gates("--task", "sum")).json.error).toMatchObject({ type: "not_a_work_tree" });
  });

  it("has no gates run while a question about the task is open", async () => {
    const project = qualityProject([logged("tests", TESTS)]);
    const asked = await project.run("ask", "Which sign?", "--task", "feature-sum", "--wait", "1ms");
    const refused = await project.gates();
    expect(refused.code).toBe(3);
    expect(refused.json.error).toMatchObject({
      type: "task_awaiting_input",
      suggestion: expect.stringContaining(asked.json.data.question_id),
    });
    expect(project.log()).toEqual([]);
  });

  it("must say which task is meant where no branch does", async () => {
    const project = qualityProject([]);
    git(project.root, "checkout", "-q", "--detach");
    expect((await project.gates()).json.error).toMatchObject({ type: "no_task" });
  });
});

describe("a person who approves", () => {
  it("is waited for in ten slices, while tests and reviewers ran once and one round was counted", async () => {
    const project = qualityProject([logged("tests", TESTS, ", serial: true"), REVIEW, APPROVAL]);
    project.mend();
    for (let slice = 0; slice < 10; slice++) {
      const pending = await project.gates("--wait", "1ms");
      expect(pending.code).toBe(75);
      expect(pending.json).toMatchObject({
        status: "pending",
        data: { gate: "feature-sum_approval", resume: "envoy gates run --task feature-sum --wait 1ms" },
      });
      expect(pending.json.data).not.toHaveProperty("deadline");
    }
    const form = project.form("feature-sum_approval");
    expect(form).toMatch(/# > +src\/sum.js +\| +3/);
    expect(form).toMatch(/# > - tests: passed/);
    await project.answer("feature-sum_approval", "decision=approve", "comment=Nice");
    const passed = await project.gates();
    expect(passed.json.data).toMatchObject({
      outcome: "passed",
      iteration: 1,
      gates: [
        { name: "tests" },
        { name: "code_review" },
        { name: "approval", outcome: "passed", summary: expect.stringContaining("Nice") },
      ],
    });
    expect(project.log()).toEqual(["review", "review", "tests"]);
    expect((await project.status()).rounds).toHaveLength(1);
    const events = project.events().filter(({ event }) => event.startsWith("human"));
    expect(events).toMatchObject([
      { event: "human_review_requested", task_id: "feature-sum", gate: "approval", iteration: 1 },
      { event: "human_review_completed", approved: true, comment: "Nice" },
    ]);
  });

  it("can reject only with a comment, which reaches the agent although its waiter was killed", async () => {
    const project = qualityProject([APPROVAL]);
    const killed = project.start(["gates", "run"]);
    await killed.says(WAITS);
    await killed.kill();
    const waiter = project.start(["gates", "run"]);
    await waiter.says(WAITS);
    project.save("feature-sum_approval", { "decision: null": "decision: reject", "done: false": "done: true" });
    await waiter.says(/handed back/);
    project.save("feature-sum_approval", { "comment: |\n  ": "comment: |\n  Call it add", "done: false": "done: true" });
    const failed = await waiter.end;
    expect(failed.code).toBe(10);
    expect(failed.json.data).toMatchObject({
      outcome: "failed",
      feedback: [{ gate_name: "approval", findings: [{ priority: "P1", issue: "Call it add" }] }],
      next_agent: { prompt: expect.stringContaining("Call it add") },
    });
  });

  it("is shown the work again when the agent has changed it, and approves only what was shown", async () => {
    const project = qualityProject([logged("tests", TESTS), APPROVAL]);
    project.mend();
    await project.gates("--wait", "1ms");
    project.save("feature-sum_approval", { "comment: |\n  ": "comment: |\n  So far so good" });
    project.edit("src/other.js", "export {};\n");
    const again = await project.gates("--wait", "1ms");
    expect(again.json.data).toMatchObject({ form: "handed_back" });
    const form = project.form("feature-sum_approval");
    expect(form).toContain("other.js");
    expect(form).toContain("So far so good");
    expect(form).toMatch(/# ✗ The agent has rewritten this/);

    project.edit("src/third.js", "export {};\n");
    await project.answer("feature-sum_approval", "decision=approve");
    const asked = await project.gates("--wait", "1ms");
    expect(asked.code).toBe(75);
    expect(project.form("feature-sum_approval")).toContain("third.js");
    expect(project.log()).toEqual(["tests", "tests", "tests"]);
    await project.answer("feature-sum_approval", "decision=approve");
    expect((await project.gates()).json.data).toMatchObject({ outcome: "passed", iteration: 1 });
  });

  it.each(["answer", "change", "applied", "close"])("has its answer counted once although envoy was killed at gate.%s", async (step) => {
    const project = qualityProject([APPROVAL]);
    await project.gates("--wait", "1ms");
    project.save("feature-sum_approval", { "decision: null": "decision: approve", "done: false": "done: true" });
    const killed = await project.start(["gates", "run"], { ENVOY_FAILPOINT: `gate.${step}=kill` }).end;
    expect(killed.signal).toBe("SIGKILL");
    expect((await project.gates()).json.data).toMatchObject({ outcome: "passed", iteration: 1, gates: [{ outcome: "passed" }] });
    const facts = readdirSync(join(project.root, ".envoy/state/rounds/feature-sum"))
      .map((name) => JSON.parse(readFileSync(join(project.root, ".envoy/state/rounds/feature-sum", name), "utf8")) as any)
      .filter(({ fact }) => fact.type === "gate_finished");
    expect(facts).toHaveLength(1);
  });

  it("is asked about one task in one form, also where the names of two add up to the same", async () => {
    const project = qualityProject([APPROVAL, "{ name: late_approval, type: human, prompt: Look }"]);
    await project.gates("--task", "a", "--wait", "1ms");
    expect((await project.gates("--task", "a_late", "--wait", "1ms")).json.error).toMatchObject({ type: "form_taken" });
    const long = "a".repeat(100);
    expect((await project.gates("--task", long, "--wait", "1ms")).json.data.gate).toBe(`${long}_approval`);
  });

  it("who withdraws the form is asked again by the next run", async () => {
    const project = qualityProject([APPROVAL]);
    const { gate_id } = (await project.gates("--wait", "1ms")).json.data;
    const waiter = project.start(["gates", "run"]);
    await waiter.says(WAITS);
    await project.run("withdraw", gate_id);
    expect((await waiter.end).json.error).toMatchObject({ type: "gate_cancelled" });
    const asked = await project.gates("--wait", "1ms");
    expect(asked.json.data.gate_id).not.toBe(gate_id);
  });

  it("has as long as the gate says, and the next run begins a new period", async () => {
    const project = qualityProject(["{ name: approval, type: human, prompt: Look, timeout: 1ms }"]);
    const late = await project.gates();
    expect(late.code).toBe(124);
    expect(late.json.error).toMatchObject({ type: "timeout" });
    await project.answer("feature-sum_approval", "decision=approve");
    expect((await project.gates()).json.data).toMatchObject({ outcome: "passed" });
  });
});

describe("an interrupted round", () => {
  it("goes on after kill -9 with the gates that were not finished", async () => {
    const project = qualityProject([logged("first", "true", ", serial: true"), logged("second", 'test -e "$GO" || sh "$BLOCK"')]);
    const go = join(project.root, "../", `${Date.now()}-go`);
    const block = `${go}.sh`;
    const pidFile = `${go}.pid`;
    writeFileSync(pidFile, "");
    writeFileSync(block, `echo $$ > ${pidFile}; exec node -e 'setInterval(() => {}, 60000)'\n`);
    const env = { GO: go, BLOCK: block };
    const killed = project.start(["gates", "run"], env);
    const pid = Number(await untilFile(pidFile, (text) => text.endsWith("\n")));
    await killed.kill();
    process.kill(pid, "SIGKILL"); // what a killed envoy started lives on; here it is in the way
    expect(await project.status()).toMatchObject({ phase: "evaluating", iteration: 1, gates: [{ name: "first", outcome: "passed" }, {}] });
    writeFileSync(go, "");
    const resumed = await project.start(["gates", "run"], env).end;
    expect(resumed.json.data).toMatchObject({ outcome: "passed", iteration: 1 });
    expect(project.log()).toEqual(["first", "second", "second"]);
    expect((await project.status()).rounds).toHaveLength(1);
  });

  it("counts once, wherever the run was killed, so that max_iterations holds", async () => {
    const project = qualityProject([logged("tests", TESTS)], { retry: "{ max_iterations: 2 }" });
    const dieAt = async (name: string) =>
      expect((await project.start(["gates", "run"], { ENVOY_FAILPOINT: `round.${name}=kill` }).end).signal).toBe("SIGKILL");
    for (const step of ["round_started", "gate_finished", "round_ended"]) await dieAt(step);
    expect((await project.status()).rounds ?? []).toHaveLength(0);
    project.edit("src/sum.js", "export const sum = () => 0;\n"); // the agent has seen the failure and acts on it
    await dieAt("announced");
    const last = await project.gates();
    expect(last.json.data).toMatchObject({ outcome: "stuck", iteration: 2 });
    await project.gates();
    await project.gates();
    expect((await project.status()).rounds.map(({ outcome }: any) => outcome)).toEqual(["failed_with_retry", "failed_max_iterations"]);
    expect(readdirSync(join(project.root, ".envoy/user_feedback"))).toEqual(["feature-sum_stuck.yaml"]);
    const ends = project.events().filter(({ event }) => event.startsWith("gate_failed"));
    expect(new Set(ends.map(({ event }) => event))).toEqual(new Set(["gate_failed_retrying", "gate_failed_max_iterations"]));
  });

  it("by Ctrl-C ends every reviewer and can be run again", async () => {
    const slow = `echo review >> "$LOG"; node "$REVIEWER"`;
    const project = qualityProject([
      logged("tests", "true", ", serial: true"),
      `{ name: code_review, type: parallel_review, dimensions: [tests, design, security], max_parallel: 2, reviewer: ${JSON.stringify(slow)} }`,
    ]);
    const [, script = ""] = reviewer("slow.mjs").split(" ");
    const began = `${project.env["LOG"]}-began`;
    writeFileSync(began, "");
    const running = project.start(["gates", "run"], { REVIEWER: script, BEGAN: began });
    const pids = (await untilFile(began, (text) => text.split("\n").length > 2)).trim().split("\n").map(Number);
    expect(await running.says(/code_review.tests: started/)).not.toMatch(/security: started/);
    const ended = await running.kill("SIGINT");
    expect(ended.code).toBe(130);
    expect(ended.json).toMatchObject({ status: "pending", data: { resume: "envoy gates run --task feature-sum" } });
    expect(pids.map(isAlive)).toEqual([false, false]);
    const [, clean = ""] = reviewer("clean.mjs").split(" ");
    const again = await project.start(["gates", "run"], { REVIEWER: clean }).end;
    expect(again.json.data).toMatchObject({ outcome: "passed", iteration: 1 });
    expect(project.log().filter((line) => line === "tests")).toEqual(["tests"]);
  });

  it("is gone on with by a second caller, so that nothing runs twice", async () => {
    const project = qualityProject([logged("tests", TESTS), logged("types", "true")]);
    project.mend();
    const both = await Promise.all([project.gates(), project.gates()]);
    expect(both.map(({ json }) => json.data.outcome)).toEqual(["passed", "passed"]);
    expect(project.log()).toEqual(["tests", "types"]);
  });
});

describe("a stuck task", () => {
  const stuck = async () => {
    const project = qualityProject([logged("tests", TESTS)], { retry: "{ max_iterations: 1 }" });
    const run = await project.gates();
    expect(run.code).toBe(10);
    expect(run.json.data).toMatchObject({ outcome: "stuck", stuck: { file: expect.stringContaining("feature-sum_stuck.yaml") } });
    expect(project.form("feature-sum_stuck")).toContain("-1 !== 5");
    expect((await project.gates()).json.data).toMatchObject({ outcome: "stuck" });
    expect(project.log()).toEqual(["tests"]);
    return { ...project, gateId: run.json.data.stuck.gate_id as string };
  };

  it("gets a new set of rounds by retry", async () => {
    const project = await stuck();
    await project.answer("feature-sum_stuck", "decision=retry", "comment=Mind the sign");
    expect((await project.run("wait", project.gateId)).json.data).toMatchObject({ decision: "retry", comment: "Mind the sign" });
    project.mend();
    expect((await project.gates()).json.data).toMatchObject({ outcome: "passed", iteration: 1 });
  });

  it("passes by accept as it is, and the gates do not run again", async () => {
    const project = await stuck();
    await project.answer("feature-sum_stuck", "decision=accept");
    expect(await project.taskStatus()).toBe("ready_to_merge");
    expect(project.events().at(-1)).toMatchObject({ event: "all_gates_passed", accepted_by: "human", commit: expect.any(String) });
    expect((await project.gates()).json.data).toMatchObject({ outcome: "passed", phase: "gates_passed" });
    expect(project.log()).toEqual(["tests"]);
  });

  it("fails by abandon, for good", async () => {
    const project = await stuck();
    await project.answer("feature-sum_stuck", "decision=abandon");
    expect(await project.taskStatus()).toBe("failed");
    project.mend();
    expect(await project.gates()).toMatchObject({ code: 10, json: { data: { outcome: "failed", phase: "failed" } } });
    expect(project.log()).toEqual(["tests"]);
  });

  it("fails without a person where on_stuck says so", async () => {
    const project = qualityProject([logged("tests", TESTS)], { retry: "{ max_iterations: 1, on_stuck: fail }" });
    expect((await project.gates()).json.data).toMatchObject({ outcome: "failed", phase: "failed" });
    expect(await project.taskStatus()).toBe("failed");
    expect(project.events().at(-1)).toMatchObject({ event: "gate_failed_max_iterations", on_stuck: "fail" });
  });
});

describe("one gate alone", () => {
  it("leaves the recorded round as it was", async () => {
    const project = qualityProject([logged("tests", TESTS), APPROVAL]);
    project.mend();
    await project.gates("--wait", "1ms");
    const before = await project.status();
    project.edit("src/sum.js", "");
    const only = await project.gates("--only", "tests");
    expect(only.code).toBe(10);
    expect(only.json.data).toMatchObject({ only: "tests", outcome: "failed", gates: [{ name: "tests", outcome: "failed" }] });
    expect(await project.status()).toEqual(before);
    expect((await project.gates("--only", "approval")).json.error).toMatchObject({ type: "invalid_argument" });
  });
});

it("captures all output on disk, cuts it in the feedback, and prints no secret of the environment", async () => {
  const project = qualityProject([
    `{ name: tests, type: command, command: ${JSON.stringify(`node -e 'for (let i = 0; i < 9000; i++) console.log("line " + i)'; echo $MY_TOKEN; exit 1`)} }`,
  ]);
  const failed = await project.start(["gates", "run"], { MY_TOKEN: "tok-8d2f7a61c0e94b" }).end;
  expect(failed.stdout).not.toContain("8d2f7a61c0e94b");
  expect(failed.stderr).not.toContain("8d2f7a61c0e94b");
  const { output, feedback } = failed.json.data;
  expect(feedback[0].findings[0].issue).toMatch(/line 0\n[\s\S]*bytes left out[\s\S]*line 8999/);
  expect(feedback[0].findings[0].issue.length).toBeLessThan(8000);
  expect(readFileSync(join(output, "tests.out"), "utf8")).toContain("line 4500\n");
});
