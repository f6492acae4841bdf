// A question as a gate: its form, what an answer means, and what the passing of its time means.
import { QuestionGate } from "../../schemas/questions.ts";
import type { Field } from "../form/index.ts";
import { thoughts } from "../gate/fields.ts";
import { defineGate } from "../gate/gate.ts";
import type { Answered, GateState } from "../gate/history.ts";
import { resultOf } from "../gate/result.ts";
import { readAnswer } from "./answers.ts";
import { reportAnswer, tellOthers } from "./consequences.ts";
import type { QuestionSubject } from "./question.ts";

export const gate = defineGate(QuestionGate)<unknown, QuestionSubject>({
  summary: "Ask a person one question",
  title: "QUESTION",
  key: () => "",
  load: () => Promise.reject(new Error("a question is asked once and never loaded again")),
  template: (subject) => [answerField(subject), thoughts()],
  async check({ answer }, { expected_answer, on_timeout }, { late }) {
    const done = ["done"];
    if (late && (on_timeout === "fail" || on_timeout === "default"))
      return [{ path: done, message: "The time for this question is over. Your text is kept, but changes nothing any more." }];
    const read = await readAnswer(expected_answer, answer);
    return read.ok ? [] : read.problems.map((message) => ({ path: ["answer"], message }));
  },
  decide: ({ answer }, subject) => decideQuestion(subject, valueFromForm(subject, answer)),
  report: (_result, _outcomes, { house, gate }) => reportAnswer(house, gate),
  expire(gate, saved) {
    const { on_timeout, default: value } = gate.subject as QuestionSubject;
    const at = gate.deadline!;
    if (on_timeout !== "default") return { type: "expired", expired_at: at.toISOString() };
    return answeredWith(gate, value, { saved, at, answeredBy: "policy", via: "policy", user: "policy" });
  },
  tell: tellOthers,
});

/** `check` has accepted it, so it can be read; a schema changes no value. */
function valueFromForm({ expected_answer: { kind, choices = [] } }: QuestionSubject, answer: unknown): unknown {
  if (kind === "json") return JSON.parse(String(answer)) as unknown;
  if (kind !== "multi_choice") return answer;
  return choices.filter((choice) => (answer as Record<string, boolean>)[choice] === true);
}

function decideQuestion({ expected_answer: { kind } }: QuestionSubject, value: unknown) {
  const said = typeof value === "string" ? value : JSON.stringify(value);
  const short = said.length > 200 ? `${said.slice(0, 199)}…` : said;
  return {
    changes: [],
    result: { answer: value },
    ...(kind === "boolean" ? { proceed: value === true } : {}),
    summary: kind === "boolean" ? `The person said ${value === true ? "yes" : "no"}.` : `The person answered: ${short}`,
    next: kind === "boolean" && value !== true ? "Do not go on as you proposed." : "Go on with this answer.",
  };
}

export interface Answering {
  /** The form as it lay there: what somebody had begun to write is kept. */
  saved: string;
  at: Date;
  answeredBy: string;
  via: "envoy answer" | "policy";
  user: string;
  email?: string;
  thoughts?: string;
  operationId?: string;
}

/** The end of a question by an answer that did not come through its form. */
export function answeredWith(gate: GateState, value: unknown, answering: Answering): Answered {
  const { saved, at, answeredBy, via, user, email, thoughts = "", operationId } = answering;
  const decision = decideQuestion(gate.subject as QuestionSubject, value);
  const policy = via === "policy" ? { summary: "Nobody answered in time; the default counts.", next: "Go on with the default." } : {};
  const result = { ...resultOf(gate, { ...decision, ...policy }, { thoughts, at }) };
  return {
    type: "answered",
    answer: {
      values: { answer: value, thoughts },
      saved,
      saved_at: at.toISOString(),
      late: result["late"] === true,
      answered_by: answeredBy,
      via,
      user,
      ...(email === undefined ? {} : { email }),
      ...(operationId === undefined ? {} : { operation_id: operationId }),
    },
    changes: [],
    result,
  };
}

function answerField({ prompt, context, recommended, expected_answer: { kind, choices = [] } }: QuestionSubject): Field {
  const recommendation = recommended === undefined ? "" : `\n\nThe agent recommends: ${recommended}`;
  const notes = `${prompt}${context ? `\n\n${context}` : ""}${recommendation}`;
  const about = { key: "answer", notes };
  switch (kind) {
    case "boolean":
      return { ...about, kind: "yesno", initial: null, help: ["yes or no"] };
    case "number":
      return { ...about, kind: "number", initial: null, help: ["A number"] };
    case "single_choice":
      return { ...about, kind: "choice", choices, initial: null, help: [`One of: ${choices.join(", ")}`] };
    case "multi_choice":
      return {
        ...about,
        kind: "group",
        computed: true,
        help: ["yes for each that you choose"],
        fields: choices.map((key) => ({ kind: "yesno", key, initial: false })),
      };
    default:
      return { ...about, kind: "text", required: true, help: [kind === "json" ? "Your answer, as JSON" : "Your answer"] };
  }
}
