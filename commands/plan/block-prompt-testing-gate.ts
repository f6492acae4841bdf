import { EnvoyError } from "../../schemas/errors.ts";
import { TestingGate } from "../../schemas/gates.ts";
import { type SubjectId, formatSubjectId, shortSubjectId, spokenSubjectId } from "../../schemas/names.ts";
import { defineGate } from "../../src/gate/gate.ts";
import { text, thoughts, yesNo } from "../../src/gate/fields.ts";
import { requirePrompt } from "../../src/stores/prompts.ts";
import { gateCommand } from "../gate-command.ts";
import { subject } from "../positionals.ts";

interface Subject {
  prompt: SubjectId;
  description: string;
  success_criteria: string;
}

export const gate = defineGate(TestingGate)({
  summary: "Ask a person to test a prompt's work; only a pass makes it tested",
  title: "TESTING GATE",
  key: (id: SubjectId) => `${shortSubjectId(id)}_testing`,
  logs: true,
  async load({ plan, last }, id: SubjectId): Promise<{ subject: Subject } | { decided: true }> {
    const { front } = await requirePrompt(plan, id);
    if (front.status === "tested" && last?.["passed"] === true && last.gate_id === front.tested_by) return { decided: true };
    if (front.status !== "implemented" && front.status !== "reviewed")
      throw new EnvoyError("prompt_not_implemented", {
        prompt_id: formatSubjectId(id),
        status: front.status,
        command: `envoy plan complete-prompt ${spokenSubjectId(id)}`,
      });
    return { subject: { prompt: id, description: front.description ?? "", success_criteria: front.success_criteria ?? "" } };
  },
  template: ({ description, success_criteria }) => [
    thoughts(),
    {
      ...yesNo("test_passed", "true if it works, false if not", null),
      notes: [description, success_criteria].filter(Boolean).join("\n\nSuccess criteria:\n"),
    },
    text("user_required_changes", "If false: what must be fixed. Logs go into the file beside this one, ending in _logs.md"),
  ],
  check({ thoughts: message, test_passed, user_required_changes }, _subject, { logs }) {
    if (test_passed && user_required_changes)
      return [{ path: ["test_passed"], message: "Passed, or not? There is text in user_required_changes: set false, or empty it." }];
    if (test_passed || user_required_changes || message || logs) return [];
    return [{ path: ["user_required_changes"], message: "It failed: say here what must be fixed, or paste logs, or write thoughts." }];
  },
  decide({ test_passed, user_required_changes }, { prompt }, { logs }) {
    const id = formatSubjectId(prompt);
    if (test_passed)
      return {
        changes: [{ change: "set_prompt", prompt, keys: { status: "tested" } }],
        result: { passed: true },
        proceed: true,
        summary: `The person tested prompt ${id}: it works.`,
        next: prompt.variant
          ? `Prompt ${id} is tested. Run envoy plan block-prompt-variants-gate ${spokenSubjectId(prompt)}.`
          : `Prompt ${id} is tested. Merge its branch, then envoy plan set-prompt-status ${spokenSubjectId(prompt)} --status merged.`,
      };
    return {
      changes: user_required_changes ? [{ change: "say", concerns: `failed test of prompt ${id}`, text: user_required_changes }] : [],
      result: { passed: false, user_required_changes, logs },
      proceed: false,
      summary: `The person tested prompt ${id}: it does not work yet.`,
      next: `Fix what is said here, then run envoy plan block-prompt-testing-gate ${spokenSubjectId(prompt)} again.`,
    };
  },
});

export const command = gateCommand(gate, {
  name: "plan block-prompt-testing-gate",
  positionals: { args: subject() },
  words: spokenSubjectId,
  example: "envoy plan block-prompt-testing-gate 2 A --wait 9m",
});
