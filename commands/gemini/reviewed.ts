import type { Change } from "../../src/stores/changes.ts";

/** What a reviewer said. */
export interface Reviewed {
  verdict: string;
  thoughts: string;
  clarifying_questions: string[];
  suggested_edits?: { prompt_id: string; edit: string }[];
}

export const approves = (verdict: string): boolean => /^approved?$/i.test(verdict.trim());

export const summaryOf = (verdict: string): string =>
  `The person answered every question; the reviewer ${approves(verdict) ? "approves" : `does not approve (${verdict})`}.`;

export const sayAnswers = (answered: readonly { question: string; answer: string }[]): Change[] =>
  answered.map(({ question, answer }) => ({ change: "say", concerns: "a reviewer's question", text: `${question}\n\n${answer}` }));
