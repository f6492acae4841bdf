// The gates of audits and reviews as declarations: their commands come later.
import { expect, test } from "vitest";
import { gate as audit } from "../../commands/gemini/audit-questions.ts";
import { gate as review } from "../../commands/gemini/review-questions.ts";
import { readForm, writeForm } from "../../src/form/index.ts";

const reviewed = {
  verdict: "approved",
  thoughts: "Sound, but for one thing.",
  clarifying_questions: ["What defines done?", "Who deploys?"],
  suggested_edits: [{ prompt_id: "3", edit: "Name the criteria." }],
};
const answered = [
  { question: "What defines done?", answer: "The tests pass." },
  { question: "Who deploys?", answer: "CI." },
];

test("every question of a reviewer needs an answer", () => {
  const description = { key: "audit_questions", title: ["AUDIT"], fields: audit.template(reviewed) };
  const form = { description, written: writeForm(description, { gateId: "g_1" }) };
  const saved = form.written.replace("answer: |\n      ", "answer: |\n      The tests pass.").replace("done: false", "done: true");
  const outcome = readForm(form, saved, { settled: true });
  expect(outcome).toMatchObject({ kind: "refused", marks: [{ path: "questions[1].answer" }] });
});

test("what the reviewer said never mixes with what the person said", () => {
  const decision = audit.decide({ thoughts: "Thanks.", questions: answered }, reviewed, { logs: "", late: false });
  expect(decision).toMatchObject({
    proceed: true,
    result: { answered_questions: answered, reviewer: { verdict: "approved", thoughts: "Sound, but for one thing." } },
  });
  expect(decision.changes).toMatchObject([{ text: "What defines done?\n\nThe tests pass." }, { text: "Who deploys?\n\nCI." }]);
  expect(audit.decide({ thoughts: "", questions: [] }, { ...reviewed, verdict: "rejected" }, { logs: "", late: false }).proceed).toBe(
    false,
  );
});

test("a suggested change stops the work although the reviewer approves", () => {
  const subject = { ...reviewed, prompt: { number: 2, variant: "A" } };
  const decision = review.decide({ thoughts: "", questions: answered, suggested_changes: "Rename it." }, subject, {
    logs: "",
    late: false,
  });
  expect(decision).toMatchObject({ proceed: false, result: { suggested_changes: "Rename it." } });
  expect(decision.changes.at(-1)).toEqual({ change: "say", concerns: "suggested changes", text: "Rename it." });
  expect(review.decide({ thoughts: "", questions: answered, suggested_changes: "" }, subject, { logs: "", late: false }).proceed).toBe(
    true,
  );
});

test("the forms are named after what was reviewed", () => {
  expect(audit.key(reviewed)).toBe("audit_questions");
  expect(review.key({ ...reviewed, prompt: { number: 2, variant: "A" } })).toBe("2A_review_questions");
  expect(review.key({ ...reviewed, prompt: null })).toBe("full_review_questions");
});
