import { describe, expect, it } from "vitest";

import type { Feedback, GateResult } from "../../schemas/quality.ts";
import { feedbackOf, feedbackOfRound, promptForFresh, promptForSame, renderFeedback, sameFeedback } from "../../src/quality/feedback.ts";
import { type FailedRound, nextAgent } from "../../src/quality/next-agent.ts";

const review: GateResult = {
  name: "code_review",
  outcome: "failed",
  duration_ms: 10,
  summary: "3 findings, 2 of them critical or major",
  findings: [
    { priority: "P0", location: { file: "src/a.ts", line: 4, column: 2 }, issue: "Password is logged", suggestion: "Drop the line" },
    { priority: "P1", location: { file: "src/b.ts" }, issue: "Sum is wrong\nfor negative numbers" },
    { priority: "P3", issue: "Name it" },
  ],
};
const tests: GateResult = {
  name: "tests",
  outcome: "failed",
  duration_ms: 10,
  summary: "`npm test` failed with exit code 1",
  findings: [{ priority: "P1", issue: "`npm test` failed with exit code 1. Its output:\n\n1 failed in 0.53s" }],
};

describe("feedback", () => {
  it("says what failed, the gravest first, where, and what to do next", () => {
    expect(renderFeedback(feedbackOf(review))).toBe(`## Gate \`code_review\` failed

3 findings, 2 of them critical or major

### P0 Critical

- \`src/a.ts:4:2\` Password is logged
  Suggestion: Drop the line

### P1 Major

- \`src/b.ts\` Sum is wrong
  for negative numbers

### P3 Suggestion

- Name it

**Next:** Mend the 2 critical and major findings of \`code_review\`; the others are optional. Then say that you are done: all gates run again.`);
  });

  it("is given for each gate that failed, and for no other", () => {
    const passed: GateResult = { ...tests, outcome: "passed", findings: [] };
    expect(feedbackOfRound([passed, review, { ...tests, outcome: "error" }]).map(({ gate_name }) => gate_name)).toEqual(["code_review"]);
  });

  it("carries a person's words, and cannot draw on a terminal", () => {
    const rejected = feedbackOf({ ...review, name: "human_approval", summary: "rejected: \u001b[31mtoo wide", findings: [] });
    expect(renderFeedback(rejected)).toContain("rejected: \\u{1b}[31mtoo wide");
    expect(rejected.suggested_action).toContain("Do what `human_approval` asks for");
  });

  const input = {
    task: { id: "t1", title: "Fix the sum" },
    iteration: 2,
    maxIterations: 3,
    feedback: [feedbackOf(tests)],
    workSummary: "Rewrote the sum",
    filesModified: ["src/sum.js"],
    diffCommand: "git diff main...",
  };

  it("lets the same agent go on where it was", () => {
    const prompt = promptForSame(input);
    expect(prompt).toContain("# Gates failed for task t1: Fix the sum (round 2 of 3)");
    expect(prompt).toContain("Your workspace is as you left it");
    expect(prompt).toContain("1 failed in 0.53s");
    expect(prompt).not.toContain("Rewrote the sum");
  });

  it("tells a fresh agent the whole story", () => {
    const prompt = promptForFresh(input);
    for (const part of ["task t1: Fix the sum", "Rewrote the sum", "- `src/sum.js`", "git diff main...", "1 failed in 0.53s"])
      expect(prompt).toContain(part);
    expect(promptForFresh({ ...input, filesModified: [], workSummary: "" })).not.toContain("## Files modified");
  });

  it("is the same though times differ, and another where findings do", () => {
    const later = { ...tests, findings: [{ priority: "P1" as const, issue: tests.findings[0]!.issue.replace("0.53", "0.71") }] };
    expect(sameFeedback([feedbackOf(tests)], [feedbackOf(later)])).toBe(true);
    expect(sameFeedback([feedbackOf(tests)], [feedbackOf(review)])).toBe(false);
    expect(sameFeedback([feedbackOf(tests)], [])).toBe(false);
  });
});

describe("who goes on", () => {
  const say = (issue: string): Feedback[] => [{ gate_name: "g", findings: [{ priority: "P1", issue }], summary: "", suggested_action: "" }];
  const round = (issue: string, contextExhausted = false): FailedRound => ({ feedback: say(issue), contextExhausted });
  const auto = { strategy: "auto", fresh_after_failures: 3, max_iterations: 9, on_stuck: "human" } as const;

  it.each([
    ["the first failure", [round("a")], "same"],
    ["another failure", [round("a"), round("b")], "same"],
    ["too many failures", [round("a"), round("b"), round("c")], "fresh"],
    ["the first failure of a fresh agent", [round("a"), round("b"), round("c"), round("d")], "same"],
    ["the same feedback twice", [round("a"), round("a")], "fresh"],
    ["the same feedback to a fresh agent for the first time", [round("a"), round("a"), round("a")], "same"],
    ["a full context", [round("a", true)], "fresh"],
  ] as const)("after %s", (_, rounds, kind) => {
    expect(nextAgent(auto, rounds)).toBe(kind);
  });

  it.each(["same", "fresh"] as const)("is always %s where the team says so", (strategy) => {
    expect(nextAgent({ ...auto, strategy }, [round("a"), round("a", true)])).toBe(strategy);
  });
});
