import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

import type { RoundFact } from "../../schemas/rounds.ts";
import type { Gate } from "../../src/quality/gates.ts";
import { type RoundEnd, type RoundRun, runRound } from "../../src/quality/run-round.ts";
import { foldRounds } from "../../src/quality/rounds.ts";
import { readChange } from "../../src/system/git-change.ts";
import { workTreeId } from "../../src/system/work-tree.ts";
import { isAlive } from "../support/processes.ts";
import { git, temporaryFolder } from "../support/project.ts";

const FIXTURES = resolve(import.meta.dirname, "../../fixtures");
const RETRY = { strategy: "auto", fresh_after_failures: 2, max_iterations: 3, on_stuck: "human" } as const;

const command = (name: string, text: string, more: Partial<Gate> = {}) =>
  ({ name, type: "command", command: text, timeoutMs: 30_000, serial: false, failFast: false, ...more }) as Gate;
const human = { name: "approve", type: "human", prompt: "Look", serial: false, failFast: false } as Gate;
const review = (script: string) =>
  ({
    name: "code_review",
    type: "parallel_review",
    reviewer: join(FIXTURES, "reviewers", script),
    dimensions: ["correctness", "security"],
    maxParallel: 2,
    timeoutMs: 30_000,
    serial: false,
    failFast: false,
  }) as Gate;

/** A branch of the fixture project; facts live in memory, commands and files are real. `log` is outside the tree. */
function newTask(...gates: Gate[]) {
  const root = temporaryFolder();
  const log = join(temporaryFolder(), "log");
  writeFileSync(log, "");
  cpSync(join(FIXTURES, "quality-project"), root, { recursive: true });
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "first");
  git(root, "checkout", "-q", "-b", "feature/sum");
  const facts: RoundFact[] = [];
  const task = {
    root,
    log,
    facts,
    gates,
    lines: () => readFileSync(log, "utf8").split("\n").filter(Boolean),
    state: () => foldRounds(facts, RETRY),
    write: (file: string, text: string) => writeFileSync(join(root, file), text),
    answer: (outcome: "passed" | "failed", comment: string) =>
      facts.push({
        type: "gate_finished",
        at: "t",
        by: "human",
        result: {
          name: "approve",
          outcome,
          duration_ms: 0,
          findings: outcome === "failed" ? [{ priority: "P1", issue: comment }] : [],
          summary: comment,
        },
      }),
    async run(more: Partial<RoundRun> & { signal?: AbortSignal } = {}) {
      const change = (await readChange(root))!;
      const outputFolder = join(temporaryFolder(), "out");
      mkdirSync(outputFolder);
      const context = {
        root,
        cwd: root,
        outputFolder,
        diff: change.diff,
        changedFiles: change.files,
        env: { ...process.env, LOG: log },
        signal: more.signal ?? new AbortController().signal,
        progress: () => undefined,
      };
      return runRound({
        facts: [...facts],
        record: async (added) => void facts.push(...added),
        gates: task.gates,
        notApplicable: [],
        retry: RETRY,
        by: "agent-1",
        now: () => new Date(0).toISOString(),
        tree: async () => (await workTreeId(root))!,
        context,
        ...more,
      });
    },
  };
  return task;
}
const outcomes = (end: RoundEnd) =>
  end.kind === "end" ? end.results.map(({ name, outcome }) => `${name}:${outcome}`).join(" ") : end.kind;

describe("a round", () => {
  it("goes from a failing test over a reviewer's finding and a rejection to passed", async () => {
    const task = newTask(command("tests", "npm test", { serial: true }), review("finds.mjs"), human);
    task.write("src/sum.js", "// FIXME: overflow\nexport const sum = (a, b) => a - b;\n");
    expect(outcomes(await task.run())).toBe("tests:failed code_review:skipped approve:skipped");
    expect(task.state()).toMatchObject({ phase: "needs_fixes", iteration: 1, feedback: [{ gate_name: "tests" }] });

    task.write("src/sum.js", "// FIXME: overflow\nexport const sum = (a, b) => a + b;\n");
    expect(outcomes(await task.run())).toBe("tests:passed code_review:failed approve:skipped");
    expect(task.state().feedback[0]).toMatchObject({ gate_name: "code_review", findings: [{ location: { file: "src/sum.js", line: 1 } }] });

    task.write("src/sum.js", "export const sum = (a, b) => a + b;\n");
    expect(await task.run()).toMatchObject({
      kind: "ask",
      gates: [{ name: "approve" }],
      results: [{ name: "tests" }, { name: "code_review" }],
    });
    task.answer("failed", "Say what it adds");
    expect(await task.run()).toMatchObject({ kind: "end", outcome: "failed" });
    expect(task.state()).toMatchObject({ phase: "stuck", feedback: [{ gate_name: "approve", findings: [{ issue: "Say what it adds" }] }] });

    task.facts.push({ type: "stuck_decided", at: "t", by: "human", decision: "retry" });
    task.write("src/sum.js", "/** Adds. */\nexport const sum = (a, b) => a + b;\n");
    await task.run();
    task.answer("passed", "");
    expect(await task.run()).toMatchObject({ kind: "end", outcome: "passed" });
    expect(task.state()).toMatchObject({ phase: "gates_passed", iteration: 1 });
  });

  it("runs tests and reviewers once while a person is waited for in ten slices", async () => {
    const task = newTask(command("tests", "echo tests >> $LOG", { serial: true }), command("lint", "echo lint >> $LOG"), human);
    for (let slice = 0; slice < 10; slice++) expect(await task.run()).toMatchObject({ kind: "ask" });
    expect(task.lines()).toEqual(["tests", "lint"]);
    task.answer("passed", "");
    await task.run();
    expect(task.state().rounds).toHaveLength(1);
  });

  it("runs them once also where they leave files in the tree", async () => {
    const task = newTask(command("tests", "echo tests >> $LOG; date +%N > coverage.txt"), human);
    for (let slice = 0; slice < 3; slice++) await task.run();
    expect(task.lines()).toEqual(["tests"]);
  });

  it("runs them again for a changed tree", async () => {
    const task = newTask(command("tests", "echo tests >> $LOG"), human);
    await task.run();
    task.write("new.js", "");
    await task.run();
    expect(task.lines()).toEqual(["tests", "tests"]);
    expect(task.state().iteration).toBe(1);
  });

  it("runs gates without `serial` at the same time", async () => {
    // Each waits for the other: one after the other they would never end.
    const meet = (mine: string, other: string) => `echo > ${mine}; until test -e ${other}; do sleep 0.01; done`;
    const task = newTask(command("a", meet("$LOG.a", "$LOG.b")), command("b", meet("$LOG.b", "$LOG.a")));
    expect(await task.run()).toMatchObject({ kind: "end", outcome: "passed" });
  });

  it("runs serial gates alone and in order", async () => {
    const step = (name: string) => command(name, `echo begin ${name} >> $LOG; sleep 0.05; echo end ${name} >> $LOG`, { serial: true });
    const task = newTask(step("a"), step("b"));
    await task.run();
    expect(task.lines()).toEqual(["begin a", "end a", "begin b", "end b"]);
  });

  it("calls the others off at once where a gate that fails fast fails", async () => {
    const slow = command("slow", "echo $$ > $LOG; exec sleep 1000");
    const task = newTask(
      slow,
      command("quick", "until test -s $LOG; do sleep 0.01; done; exit 1", { failFast: true }),
      command("last", "true", { serial: true }),
    );
    expect(outcomes(await task.run())).toBe("slow:skipped quick:failed last:skipped");
    expect(isAlive(Number(task.lines()[0]))).toBe(false);
  });

  it("has no verdict where something befell a gate, and runs only that one again", async () => {
    const task = newTask(command("tests", "echo tests >> $LOG", { serial: true }), command("tool", 'test -e "$LOG.ok" || no-such-tool'));
    expect(await task.run()).toMatchObject({ kind: "end", outcome: "error" });
    expect(task.state()).toMatchObject({ phase: "evaluating", rounds: [] });
    writeFileSync(`${task.log}.ok`, "");
    expect(await task.run()).toMatchObject({ kind: "end", outcome: "passed" });
    expect(task.lines()).toEqual(["tests"]);
  });

  it("is left ready to be run again by Ctrl-C, with nothing running", async () => {
    const task = newTask(command("tests", "true", { serial: true }), command("slow", "echo $$ > $LOG; exec sleep 1000"));
    const abort = new AbortController();
    const run = task.run({ signal: abort.signal });
    const pid = await new Promise<number>((done) => {
      const look = () => {
        if (!existsSync(task.log) || task.lines().length === 0) return;
        watcher.close();
        done(Number(task.lines()[0]));
      };
      const watcher = watch(task.log, look);
      look();
    });
    abort.abort(new Error("Ctrl-C"));
    await expect(run).rejects.toThrow("Ctrl-C");
    expect(isAlive(pid)).toBe(false);
    expect(task.state()).toMatchObject({ phase: "evaluating", gate_index: 1, rounds: [] });
  });

  it("is recorded before its commands start, and each result before the next gate", async () => {
    const task = newTask(command("a", 'cp "$LOG" "$LOG.a"', { serial: true }), command("b", 'cp "$LOG" "$LOG.b"', { serial: true }));
    await task.run({ record: async (added) => appendFileSync(task.log, added.map(({ type }) => `${type}\n`).join("")) });
    expect(readFileSync(`${task.log}.a`, "utf8")).toBe("round_started\n");
    expect(readFileSync(`${task.log}.b`, "utf8")).toBe("round_started\ngate_finished\n");
    expect(task.lines()).toEqual(["round_started", "gate_finished", "gate_finished", "round_ended"]);
  });

  it("does not go on where a result could not be recorded", async () => {
    const task = newTask(command("a", "echo a >> $LOG", { serial: true }), command("b", "echo b >> $LOG", { serial: true }));
    const record = async (added: RoundFact[]) => {
      if (added[0]?.type === "gate_finished") throw new Error("disk full");
      task.facts.push(...added);
    };
    await expect(task.run({ record })).rejects.toThrow("disk full");
    expect(task.lines()).toEqual(["a"]);
  });
});

describe("the change of a branch", () => {
  it("is everything since it left the main line: committed, staged, unsaved to git, new and removed", async () => {
    const { root, write } = newTask();
    write("src/committed.js", "1\n");
    git(root, "add", "-A");
    git(root, "commit", "-q", "-m", "second");
    write("src/new.js", "2\n");
    git(root, "rm", "-q", "test/sum.test.js");
    const change = (await readChange(join(root, "src")))!;
    expect(change.files).toEqual(["src/committed.js", "src/new.js", "test/sum.test.js"]);
    expect(change.diff).toContain("+++ b/src/new.js");
    expect(change.summary).toContain("3 files changed");
    expect(change.tree).toBe(await workTreeId(root));
    expect(git(root, "status", "--porcelain", "src/new.js")).toBe("?? src/new.js");
  });

  it("is what is not yet committed on the main line, all of it before the first commit, and nothing outside git", async () => {
    const { root, write } = newTask();
    git(root, "checkout", "-q", "main");
    write("x.js", "");
    expect((await readChange(root))!.files).toEqual(["x.js"]);
    const fresh = temporaryFolder();
    git(fresh, "init", "-q");
    writeFileSync(join(fresh, "y.js"), "");
    expect((await readChange(fresh))!.files).toEqual(["y.js"]);
    expect(await readChange(temporaryFolder())).toBeUndefined();
  });
});
