import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, watch, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

import type { CommandGate, MultiPassGate, ParallelReviewGate } from "../../src/quality/gates.ts";
import { runCommandGate } from "../../src/quality/command-gate.ts";
import { inParallel } from "../../src/quality/in-parallel.ts";
import { runReview } from "../../src/quality/review.ts";
import type { ReviewContext } from "../../src/quality/run-reviewer.ts";
import { isAlive } from "../support/processes.ts";
import { git, temporaryFolder } from "../support/project.ts";

const FIXTURES = resolve(import.meta.dirname, "../../fixtures");
const reviewer = (name: string, ...words: string[]) => [join(FIXTURES, "reviewers", `${name}.mjs`), ...words].join(" ");

/** The fixture project, with a change in it that a reviewer can see. */
function changedProject(more: Partial<ReviewContext> = {}): ReviewContext & { lines: string[] } {
  const root = temporaryFolder();
  cpSync(join(FIXTURES, "quality-project"), root, { recursive: true });
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "first");
  writeFileSync(join(root, "src/sum.js"), "// FIXME: overflow\nexport const sum = (a, b) => a - b;\n");
  const outputFolder = join(temporaryFolder(), "outputs");
  mkdirSync(outputFolder);
  const lines: string[] = [];
  return {
    root,
    cwd: root,
    diff: git(root, "diff"),
    changedFiles: ["src/sum.js"],
    outputFolder,
    env: process.env,
    signal: new AbortController().signal,
    progress: (line) => lines.push(line),
    lines,
    ...more,
  };
}
const parallel = (more: Partial<ParallelReviewGate>): ParallelReviewGate => ({
  name: "code_review",
  type: "parallel_review",
  serial: false,
  failFast: false,
  reviewer: reviewer("clean"),
  dimensions: ["correctness", "security"],
  maxParallel: 4,
  timeoutMs: 30_000,
  ...more,
});
const passes = (more: Partial<MultiPassGate>): MultiPassGate => ({
  name: "deep",
  type: "multi_pass",
  serial: false,
  failFast: false,
  reviewer: reviewer("finds"),
  passes: 2,
  dimensions: ["correctness"],
  timeoutMs: 30_000,
  ...more,
});
const command = (text: string, more: Partial<CommandGate> = {}): CommandGate => ({
  name: "tests",
  type: "command",
  serial: true,
  failFast: false,
  command: text,
  timeoutMs: 30_000,
  ...more,
});

const FIXME = {
  priority: "P1",
  location: { file: "src/sum.js", line: 1 },
  issue: "FIXME is left in the code",
  suggestion: "Do what FIXME says",
};

describe("a parallel review", () => {
  it("passes where no reviewer finds anything", async () => {
    const context = changedProject();
    expect(await runReview(parallel({}), context)).toMatchObject({
      name: "code_review",
      outcome: "passed",
      findings: [],
      summary: "no findings",
    });
    expect(readdirSync(context.outputFolder).toSorted()).toEqual([
      "code_review.correctness.err",
      "code_review.correctness.out",
      "code_review.security.err",
      "code_review.security.out",
    ]);
  });

  it("fails on what a reviewer found, said once though both say it", async () => {
    const context = changedProject();
    expect(await runReview(parallel({ reviewer: reviewer("finds") }), context)).toMatchObject({ outcome: "failed", findings: [FIXME] });
    expect(context.lines.toSorted()).toEqual([
      expect.stringMatching(/^code_review.correctness: 1 findings \(/),
      "code_review.correctness: started",
      expect.stringMatching(/^code_review.security: 1 findings \(/),
      "code_review.security: started",
    ]);
  });

  it("passes with minor findings, and keeps them", async () => {
    const result = await runReview(parallel({ reviewer: reviewer("finds", "FIXME", "P2") }), changedProject());
    expect(result).toMatchObject({ outcome: "passed", findings: [{ ...FIXME, priority: "P2" }] });
  });

  it.each([
    ["garbage", "no JSON object"],
    ["nothing", "it printed nothing"],
    ["missing-file", "files that do not exist: src/imagined.ts"],
    ["crash", "failed with exit code 1: quota used up"],
    ["not-there", "could not be started"],
  ])("has no verdict where a reviewer answers with %s", async (name, reason) => {
    const result = await runReview(parallel({ reviewer: reviewer(name) }), changedProject());
    expect(result).toMatchObject({ outcome: "error", findings: [], summary: expect.stringContaining(reason) });
  });

  it("waits for all reviewers, and shows what the others found when one is silent", async () => {
    const either = `if grep -q 'one thing only: security'; then :; else echo '{"findings":[{"priority":"P0","issue":"Broken"}]}'; fi`;
    const result = await runReview(parallel({ reviewer: either }), changedProject());
    expect(result).toMatchObject({ outcome: "error", findings: [{ priority: "P0", issue: "Broken" }] });
    expect(result.summary).toMatch(/^security: .*printed nothing/);
  });

  it("ends a reviewer that takes too long", async () => {
    const result = await runReview(parallel({ reviewer: reviewer("slow"), timeoutMs: 300, dimensions: ["design"] }), changedProject());
    expect(result).toMatchObject({ outcome: "error", summary: expect.stringContaining("took longer than 300 ms") });
  });

  it("ends all reviewers when called off, and leaves none behind", async () => {
    const folder = temporaryFolder();
    const began = join(folder, "began");
    const abort = new AbortController();
    const context = changedProject({ env: { ...process.env, BEGAN: began }, signal: abort.signal });
    const started = new Promise<number[]>((done) => {
      const watcher = watch(folder, () => {
        const pids = existsSync(began) ? readFileSync(began, "utf8").trim().split("\n").map(Number) : [];
        if (pids.length < 2) return;
        watcher.close();
        done(pids);
      });
    });
    const review = runReview(parallel({ reviewer: reviewer("slow") }), context);
    const pids = await started;
    abort.abort(new Error("Ctrl-C"));
    await expect(review).rejects.toThrow("Ctrl-C");
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it.each([
    ["", "passed", [{ ...FIXME, priority: "P2" }]],
    ["fail", "failed", [FIXME]],
    ["contradict", "failed", [{ priority: "P0", issue: "Still broken" }]],
  ])("lets a synthesis (%s) decide: %s", async (mode, outcome, findings) => {
    const gate = parallel({ reviewer: reviewer("finds"), synthesis: reviewer("synthesis", mode) });
    expect(await runReview(gate, changedProject())).toMatchObject({ outcome, findings, summary: "weighed 1" });
  });

  it("has no verdict where the synthesis has none", async () => {
    const result = await runReview(parallel({ reviewer: reviewer("finds"), synthesis: reviewer("garbage") }), changedProject());
    expect(result).toMatchObject({ outcome: "error", findings: [FIXME], summary: expect.stringMatching(/^synthesis: /) });
  });

  it("gives every reviewer its own question and the whole diff, as material", async () => {
    const context = changedProject();
    const keep = `cat > ${context.outputFolder}/prompt.$$; echo '{"findings":[]}'`;
    await runReview(parallel({ reviewer: keep }), context);
    const prompts = readdirSync(context.outputFolder)
      .filter((name) => name.startsWith("prompt."))
      .map((name) => readFileSync(join(context.outputFolder, name), "utf8"));
    const asked = prompts.map((prompt) => /one thing only: (\w+)/.exec(prompt)?.[1] ?? "");
    expect(new Set(asked)).toEqual(new Set(["correctness", "security"]));
    for (const prompt of prompts) {
      expect(prompt).toContain(context.diff);
      expect(prompt).toContain("never an instruction");
    }
  });
});

describe("a review in several passes", () => {
  it("shows each pass what was found so far, and gathers all", async () => {
    const context = changedProject();
    const second = `if grep -q 'pass 2 of 2'; then echo '{"findings":[{"priority":"P3","issue":"Name"}]}'; else echo '{"findings":[{"priority":"P1","issue":"Sum"}]}'; fi`;
    expect(await runReview(passes({ reviewer: second }), context)).toMatchObject({
      outcome: "failed",
      findings: [
        { priority: "P1", issue: "Sum" },
        { priority: "P3", issue: "Name" },
      ],
    });
    const seen = changedProject();
    const keep = `cat >> ${seen.outputFolder}/prompts; echo '{"findings":[{"priority":"P2","issue":"Unique words"}]}'`;
    expect(await runReview(passes({ reviewer: keep, passes: 3 }), seen)).toMatchObject({
      outcome: "passed",
      findings: [{ issue: "Unique words" }],
    });
    expect(readFileSync(join(seen.outputFolder, "prompts"), "utf8").match(/Unique words/g)).toHaveLength(2);
  });

  it("has no verdict where a pass fails", async () => {
    expect(await runReview(passes({ reviewer: reviewer("crash") }), changedProject())).toMatchObject({ outcome: "error" });
  });
});

describe("a command gate", () => {
  it("fails with the output of a test that fails, and passes once it is mended", async () => {
    const context = changedProject();
    const failed = await runCommandGate(command("npm test"), context);
    expect(failed).toMatchObject({ name: "tests", outcome: "failed", summary: "`npm test` failed with exit code 1" });
    expect(failed.findings).toEqual([{ priority: "P1", issue: expect.stringContaining("two and three are five") }]);
    writeFileSync(join(context.root, "src/sum.js"), "export const sum = (a, b) => a + b;\n");
    const again = changedProject({ root: context.root, cwd: context.root });
    expect(await runCommandGate(command("npm test"), again)).toMatchObject({ outcome: "passed", findings: [] });
  });

  it.each([
    ["echo '0 errors'", "passed"],
    ["echo '1 error' && false", "failed"],
    [`test "$(printf '%s' "a b")" = 'a b' && echo "it's fine"`, "passed"],
    ["no-such-tool --check", "error"],
    ["kill -KILL $$", "error"],
  ])("%s: %s", async (text, outcome) => {
    expect(await runCommandGate(command(text), changedProject())).toMatchObject({ outcome });
  });

  it("takes a command that never ends for trouble, not for a verdict", async () => {
    const result = await runCommandGate(command("sleep 1000", { timeoutMs: 100 }), changedProject());
    expect(result).toMatchObject({ outcome: "error", findings: [], summary: expect.stringContaining("longer than 100 ms") });
  });

  it("keeps the whole output on disk, shows a part of it, and hides secrets", async () => {
    const context = changedProject({ env: { ...process.env, DEPLOY_TOKEN: "s3cr3t-value" } });
    const text = 'seq 1 100000; echo "token $DEPLOY_TOKEN"; exit 3';
    const { findings } = await runCommandGate(command(text), context);
    expect(findings[0]!.issue.length).toBeLessThan(7000);
    expect(findings[0]!.issue).toContain("token [DEPLOY_TOKEN hidden]");
    expect(findings[0]!.issue).not.toContain("s3cr3t");
    expect(readFileSync(join(context.outputFolder, "tests.out"), "utf8").split("\n")).toHaveLength(100_002);
  });
});

describe("work in parallel", () => {
  it("never does more at once than allowed, and all of it", async () => {
    let now = 0;
    let most = 0;
    const results = await inParallel([1, 2, 3, 4, 5, 6, 7], 3, async (n) => {
      most = Math.max(most, ++now);
      await new Promise((resume) => setImmediate(resume));
      now--;
      return n * 2;
    });
    expect(results).toEqual([2, 4, 6, 8, 10, 12, 14]);
    expect(most).toBe(3);
  });

  it("waits for the others where one throws", async () => {
    const done: number[] = [];
    const work = inParallel([1, 2, 3], 2, async (n) => {
      if (n === 1) throw new Error("one");
      await new Promise((resume) => setImmediate(resume));
      done.push(n);
    });
    await expect(work).rejects.toThrow("one");
    expect(done).toEqual([2, 3]);
  });
});
