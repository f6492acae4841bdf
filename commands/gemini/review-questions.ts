import { ReviewQuestions } from "../../schemas/gates.ts";
import { type SubjectId, shortSubjectId } from "../../schemas/names.ts";
import { defineGate } from "../../src/gate/gate.ts";
import { questions, text, thoughts } from "../../src/gate/fields.ts";
import { type Reviewed, approves, sayAnswers, summaryOf } from "./reviewed.ts";

interface Review extends Reviewed {
  /** Null for the review of all the work. */
  prompt: SubjectId | null;
}

/** Opened by the review with what the reviewer said, which is kept as the gate's arguments and never asked for again. */
export const gate = defineGate(ReviewQuestions)({
  summary: "Ask a person what the reviewer of the work wants to know",
  title: "QUESTIONS OF THE REVIEW",
  key: ({ prompt }: Review) => `${prompt ? shortSubjectId(prompt) : "full"}_review_questions`,
  load: async (_sources, review: Review) => ({ subject: review }),
  template: ({ clarifying_questions, thoughts: notes }) => [
    thoughts(),
    {
      ...questions("questions", "Every question needs an answer", { asked: clarifying_questions, required: true }),
      notes,
    },
    text("suggested_changes", "What should change in the work; empty if nothing"),
  ],
  decide({ questions: answered_questions, suggested_changes }, { verdict, thoughts: words, suggested_edits }) {
    const proceed = approves(verdict) && suggested_changes === "";
    return {
      changes: [
        ...sayAnswers(answered_questions),
        ...(suggested_changes ? [{ change: "say" as const, concerns: "suggested changes", text: suggested_changes }] : []),
      ],
      result: { answered_questions, suggested_changes, reviewer: { verdict, thoughts: words, suggested_edits } },
      proceed,
      summary: `${summaryOf(verdict)}${suggested_changes ? " The person suggests changes." : ""}`,
      next: proceed
        ? "Take the answers into account and go on."
        : "Make the changes that the person and reviewer.suggested_edits name, then run the review again.",
    };
  },
});
