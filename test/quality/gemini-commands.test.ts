// Audit and review through the built binary, with reviewers that speak the documented protocol and ones that do not.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type PlannedProject, plannedProject } from "../support/planned.ts";
import { git, temporaryFolder } from "../support/project.ts";
import { reviewer } from "../support/quality.ts";
import { WAITS } from "../support/waiter.ts";

/** Counts its calls in a file, then answers as the fixture does. */
function counted(script: string): { command: string; calls: () => number } {
  const log = join(temporaryFolder(), "calls");
  writeFileSync(log, "");
  return { command: `echo call >> ${log}; ${reviewer(script)}`, calls: () => readFileSync(log, "utf8").split("\n").length - 1 };
}

async function auditable(): Promise<PlannedProject> {
  const project = await plannedProject();
  await project.data("plan", "write-plan", "--title", "Login", "--objective", "People can log in");
  return project;
}

const ANSWERED = { "answer: |\n      ": "answer: |\n      The last two versions", "done: false": "done: true" };

describe("the audit of a plan", () => {
  it("asks a person what the reviewer wants to know, and the reviewer only once", async () => {
    const project = await auditable();
    const { command, calls } = counted("audit.mjs");
    const audit = ["gemini", "audit", "--reviewer", command];
    const pending = await project.envoy(...audit, "--wait", "1ms");
    expect(pending.code).toBe(75);
    expect(pending.json.data).toMatchObject({ gate: "audit_questions", resume: expect.stringMatching(/^envoy wait g_/) });
    expect(project.readForm("audit_questions")).toContain("Which browsers?");
    const waiter = project.start(audit);
    await waiter.says(WAITS);
    await waiter.kill();
    const again = project.start(audit);
    await again.says(WAITS);
    project.save(ANSWERED, "audit_questions");
    const { code, json } = await again.end;
    expect(code).toBe(0);
    expect(json.data).toMatchObject({
      gate: "audit_questions",
      answered_questions: [{ question: "Which browsers?", answer: "The last two versions" }],
      reviewer: { verdict: "needs work", thoughts: "Read in full.", suggested_edits: [{ prompt_id: "1" }] },
      proceed: false,
    });
    expect(calls()).toBe(1);
    expect(project.read("user_input.md")).toContain("The last two versions");
    expect(project.forms()).toEqual([]);
  });

  it("returns at once where the reviewer has no questions", async () => {
    const project = await auditable();
    await project.data("plan", "clear-prompt", "1");
    await project.data("plan", "clear-prompt", "2");
    const said = await project.envoy("gemini", "audit", "--reviewer", reviewer("audit.mjs"), "--require-approval");
    expect(said.code).toBe(10);
    expect(said.json.data).toMatchObject({ reviewer: { verdict: "fine", thoughts: "Read in full." }, proceed: false });
    expect(project.forms()).toEqual([]);
  });

  it.each([
    ["a reviewer that is not there", "no-such-reviewer --json"],
    ["a reviewer that fails", reviewer("crash.mjs")],
    ["a reviewer that prints garbage", reviewer("garbage.mjs")],
  ])("with %s is an error that names the command", async (_what, command) => {
    const project = await auditable();
    const { code, message } = await project.error("reviewer_failed", "gemini", "audit", "--reviewer", command);
    expect(code).toBe(5);
    expect(message).toContain(command);
    expect(project.forms()).toEqual([]);
  });

  it("asks gemini where no other reviewer is named", async () => {
    const { message } = await (await auditable()).error("reviewer_failed", "gemini", "audit");
    expect(message).toContain("`gemini`");
  });
});

describe("the review of the work", () => {
  it("of a prompt reads the change of its own branch, and asks in a form of its own", async () => {
    const project = await auditable();
    const { worktree } = await project.data("plan", "start-prompt", "2");
    writeFileSync(join(worktree, "redis.js"), "export const sessions = 'redis';\n");
    writeFileSync(join(project.root, "elsewhere.js"), "");
    const seen = join(temporaryFolder(), "prompt");
    const command = `tee ${seen} | ${reviewer("audit.mjs")}`;
    const waiter = project.start(["gemini", "review", "2", "--reviewer", command]);
    await waiter.says(WAITS);
    expect(readFileSync(seen, "utf8")).toContain("+export const sessions = 'redis';");
    expect(readFileSync(seen, "utf8")).not.toContain("elsewhere.js");
    project.save({ ...ANSWERED, "suggested_changes: |\n  ": "suggested_changes: |\n  Name it store" }, "2_review_questions");
    expect((await waiter.end).json.data).toMatchObject({ gate: "2_review_questions", suggested_changes: "Name it store", proceed: false });
    git(worktree, "add", "-A");
    git(worktree, "commit", "-q", "-m", "redis");
    git(project.root, "worktree", "remove", worktree);
    const committed = await project.envoy("gemini", "review", "2", "--reviewer", command, "--wait", "1ms");
    expect(committed.code).toBe(75);
    expect(readFileSync(seen, "utf8")).toContain("+export const sessions = 'redis';");
  });

  it("of everything reads the whole branch; without a change there is nothing to review", async () => {
    const project = await auditable();
    const { command, calls } = counted("audit.mjs");
    const review = ["gemini", "review", "--full", "--reviewer", command];
    const skipped = await project.envoy(...review);
    expect(skipped.json.data).toMatchObject({ gate: "full_review_questions", skipped: true, next: expect.stringContaining("Go on") });
    expect(skipped.code).toBe(0);
    const required = await project.envoy(...review, "--require-approval");
    expect([required.json.data.skipped, required.code]).toEqual([true, 10]);
    expect(calls()).toBe(0);
    writeFileSync(join(project.root, "login.js"), "export {};\n");
    expect((await project.envoy(...review)).json.data).toMatchObject({ reviewer: { verdict: "fine" } });
  });

  it("must say what is to be reviewed", async () => {
    const project = await plannedProject();
    await project.error("missing_argument", "gemini", "review");
    await project.error("conflicting_flags", "gemini", "review", "2", "--full");
    await project.error("prompt_not_found", "gemini", "review", "9");
  });
});
