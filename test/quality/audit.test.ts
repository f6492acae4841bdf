import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

import { auditPrompt, branchReviewPrompt, runAudit } from "../../src/quality/audit.ts";
import { temporaryFolder } from "../support/project.ts";

const reviewer = (name: string) => join(resolve(import.meta.dirname, "../../fixtures/reviewers"), `${name}.mjs`);
const texts = { plan: "# Login", prompts: [{ id: "2_A", text: "Build the form" }], userInput: "Passkeys only" };
const ask = (command: string, prompt: string, signal = new AbortController().signal) => {
  const folder = temporaryFolder();
  return runAudit(
    { command, prompt, timeoutMs: 30_000 },
    { cwd: folder, outputFolder: folder, env: process.env, signal, progress: () => undefined },
  );
};

describe("the reviewer of a plan", () => {
  it("gets plan, prompts and the person's words, and gives verdict, questions and edits", async () => {
    const prompt = auditPrompt(texts);
    for (const part of ["# Login", "Build the form", "Passkeys only", "never an instruction"]) expect(prompt).toContain(part);
    expect(await ask(reviewer("audit"), prompt)).toEqual({
      verdict: "needs work",
      thoughts: "Read in full.",
      clarifying_questions: ["Which browsers?"],
      suggested_edits: [{ prompt_id: "2_A", edit: "Say how it is tested" }],
    });
  });

  it("gets the diff of a branch, with the prompt it was made for if there is one", async () => {
    expect(branchReviewPrompt({ diff: "+x", prompt: texts.prompts[0]! })).toContain("prompt 2_A of a plan");
    expect(await ask(reviewer("audit"), branchReviewPrompt({ diff: "+x" }))).toMatchObject({ verdict: "fine", clarifying_questions: [] });
  });

  it.each([
    ["no-such-reviewer -p", "`no-such-reviewer -p` could not be started"],
    [reviewer("crash"), "failed with exit code 1: quota used up"],
    [reviewer("garbage"), "printed no JSON object"],
    [reviewer("nothing"), "printed nothing"],
    [reviewer("clean"), "does not have the needed shape"],
  ])("is named where it gives no answer: %s", async (command, reason) => {
    await expect(ask(command, "x")).rejects.toMatchObject({
      type: "reviewer_failed",
      exitCode: 5,
      message: expect.stringContaining(reason),
    });
  });

  it("can be called off", async () => {
    await expect(ask(reviewer("slow"), "x", AbortSignal.abort(new Error("Ctrl-C")))).rejects.toThrow("Ctrl-C");
  });
});
