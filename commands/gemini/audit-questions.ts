import { AuditQuestions } from "../../schemas/gates.ts";
import { defineGate } from "../../src/gate/gate.ts";
import { questions, thoughts } from "../../src/gate/fields.ts";
import { type Reviewed, approves, sayAnswers, summaryOf } from "./reviewed.ts";

/** Opened by the audit with what the reviewer said, which is kept as the gate's arguments and never asked for again. */
export const gate = defineGate(AuditQuestions)({
  summary: "Ask a person what the reviewer of a plan wants to know",
  title: "QUESTIONS OF THE AUDIT",
  key: (_audit: Reviewed) => "audit_questions",
  load: async (_sources, audit: Reviewed) => ({ subject: audit }),
  template: ({ clarifying_questions, thoughts: notes }) => [
    thoughts(),
    {
      ...questions("questions", "Every question needs an answer", { asked: clarifying_questions, required: true }),
      notes,
    },
  ],
  decide({ questions: answered_questions }, { verdict, thoughts: words, suggested_edits }) {
    return {
      changes: sayAnswers(answered_questions),
      result: { answered_questions, reviewer: { verdict, thoughts: words, suggested_edits } },
      proceed: approves(verdict),
      summary: summaryOf(verdict),
      next: approves(verdict)
        ? "Take the answers into account and go on with the plan."
        : "Rework the plan by reviewer.suggested_edits and the answers (write-plan, write-prompt), then run the audit again.",
    };
  },
});
