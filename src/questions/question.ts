// Questions, tasks and halts: who asked what, whom that stops, and what became of it. A question is a gate; its
// record as people and agents read it is a fold over that gate's facts. Nothing derived from it is stored.
import { inOrder } from "../system/in-order.ts";
import type { AnswerKind, AskedFor, HaltReach, QuestionStatus, QuestionType, Role, TimeoutPolicy } from "../../schemas/question-words.ts";
import type { GateFact } from "../gate/history.ts";
import type { Recorded } from "../stores/records.ts";

export interface ExpectedAnswer {
  kind: AnswerKind;
  choices?: string[];
  schema?: Record<string, unknown>;
}

/** What the gate's record keeps of a question, beside the form. */
export interface QuestionSubject {
  prompt: string;
  type: QuestionType;
  halts: HaltReach | null;
  agent_id: string;
  session_id?: string;
  task_id?: string;
  question_type?: AskedFor;
  role?: Role;
  context?: string;
  details?: unknown;
  confidence?: number;
  expected_answer: ExpectedAnswer;
  recommended?: string;
  default?: unknown;
  on_timeout: TimeoutPolicy;
  operation_id?: string;
}

export interface Question extends Omit<QuestionSubject, "operation_id"> {
  version: 1;
  question_id: string;
  status: QuestionStatus;
  blocking: boolean;
  created_at: string;
  expires_at: string | null;
  answer?: unknown;
  answered_at?: string;
  answered_by?: string;
  late?: boolean;
  withdrawn_at?: string;
  operation_ids: string[];
  history: HistoryEntry[];
}
export interface HistoryEntry {
  fact: string;
  at: string;
  by: string;
  [detail: string]: unknown;
}

/** Undefined where there is no question. Its time may be over though no fact says so yet. */
export function foldQuestion(id: string, facts: readonly Recorded<GateFact>[], now: Date): Question | undefined {
  const [opened] = facts;
  if (opened?.type !== "opened") return undefined;
  const { operation_id, ...subject } = opened.subject as QuestionSubject;
  const question: Question = {
    version: 1,
    question_id: id,
    status: "open",
    blocking: subject.halts !== null,
    ...subject,
    created_at: opened.at,
    expires_at: opened.deadline,
    operation_ids: operation_id === undefined ? [] : [operation_id],
    history: [],
  };
  for (const fact of facts) apply(question, fact);
  const overdue = question.status === "open" && question.expires_at !== null && Date.parse(question.expires_at) <= now.getTime();
  return overdue ? expireUnrecorded(question) : question;
}

function apply(question: Question, fact: Recorded<GateFact>): void {
  const by = fact.by.agent ?? fact.by.user;
  const tell = (entry: Record<string, unknown> = {}, at = fact.at) => question.history.push({ fact: fact.type, at, by, ...entry });
  switch (fact.type) {
    case "opened":
      return void tell();
    case "extended":
      if (question.status === "expired") question.status = "open";
      question.expires_at = fact.deadline;
      return void tell({ expires_at: fact.deadline });
    case "handed_back":
      return void tell({ saved: fact.saved, reasons: fact.marks.map(({ message }) => message) });
    case "expired":
      question.status = "expired";
      return void tell({ on_timeout: question.on_timeout }, fact.expired_at);
    case "tried":
      if (fact.operation_id !== undefined) question.operation_ids.push(fact.operation_id);
      return void tell({ answer: fact.answer, answered_by: fact.answered_by, refused: fact.refused });
    case "answered": {
      if (hasEnd(question)) return;
      const { answered_by, saved_at, via, late, operation_id } = fact.answer;
      question.status = "answered";
      question.answer = fact.result["answer"];
      question.answered_at = saved_at;
      question.answered_by = answered_by;
      if (late) question.late = true;
      if (operation_id !== undefined) question.operation_ids.push(operation_id);
      const operation = operation_id === undefined ? {} : { operation_id };
      return void tell({ answer: question.answer, answered_by, via, ...(late ? { late } : {}), ...operation }, saved_at);
    }
    case "withdrawn":
      if (hasEnd(question)) return;
      question.status = "withdrawn";
      question.withdrawn_at = fact.at;
      return void tell({ ...(fact.reason ? { reason: fact.reason } : {}), ...(fact.saved ? { saved: fact.saved } : {}) });
    default:
  }
}

const hasEnd = ({ status }: Question): boolean => status === "answered" || status === "withdrawn";

/** As it will be recorded by the next command that may write. */
function expireUnrecorded(question: Question): Question {
  const at = question.expires_at!;
  const history = [...question.history, { fact: "expired", at, by: "the clock", on_timeout: question.on_timeout }];
  if (question.on_timeout !== "default") return { ...question, status: "expired", history };
  return { ...question, status: "answered", answer: question.default, answered_at: at, answered_by: "policy", history };
}

/** Neither answered nor withdrawn nor deferred. */
export const isHaltingNow = ({ halts, status, on_timeout }: Question): boolean =>
  halts !== null && (status === "open" || (status === "expired" && on_timeout !== "defer"));

/** Whether an answer would still be taken. */
export const takesAnswers = ({ status, on_timeout }: Question): boolean =>
  status === "open" || (status === "expired" && on_timeout !== "fail");

export const byAge = (a: Question, b: Question): number => inOrder(a.created_at, b.created_at) || inOrder(a.question_id, b.question_id);
