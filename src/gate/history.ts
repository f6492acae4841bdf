// A gate's history: the facts that happen to it, and the state they add up to. No field changes without a fact.
import { checkFacts } from "./fact-shapes.ts";
import type { Mark, WrittenForm } from "../form/index.ts";
import type { Change, Outcome } from "../stores/changes.ts";
import type { Recorded } from "../stores/records.ts";

export interface Opened {
  type: "opened";
  /** Which declaration judges it. */
  kind: string;
  key: string;
  /** Undefined for a gate that belongs to no plan. */
  plan?: PlanReference;
  /** What the command was called with, so that its subjects can be loaded again. */
  args: unknown;
  subject: unknown;
  form: WrittenForm;
  logs?: boolean;
  /** Null: waits for ever. */
  deadline: string | null;
  /** Its declaration says what the passing of the deadline means. */
  expires?: boolean;
  asked_by: string;
}
export interface PlanReference {
  /** From envoy's folder where it lies inside, else absolute. */
  directory: string;
  name: string;
  branch?: string;
}
/** Subjects have come, gone or changed, and the form with them. */
export interface Reformed {
  type: "reformed";
  subject: unknown;
  form: WrittenForm;
}
export interface Extended {
  type: "extended";
  deadline: string | null;
}
/** The deadline has passed; noticed later, it counts from `expired_at`. */
export interface Expired {
  type: "expired";
  expired_at: string;
}
/** An answer that came when none was taken any more. */
export interface Tried {
  type: "tried";
  answer: unknown;
  answered_by: string;
  refused: string;
  operation_id?: string;
}
export interface HandedBack {
  type: "handed_back";
  /** As the person saved it. */
  saved: string;
  /** The bytes, where they are not those of the text. */
  saved_base64?: string;
  text: string;
  marks: Mark[];
  /** The logs had more tokens than this, which the agent is told too. */
  too_many_tokens?: number;
}
/** An agent knows that the logs of the last form were too large. */
export interface Told {
  type: "told";
}
/** A program filled in the form: a save of exactly this text is its answer. */
export interface Filled {
  type: "filled";
  text: string;
  answered_by: string;
}
export interface Answer {
  values: Record<string, unknown>;
  saved: string;
  logs?: string;
  saved_at: string;
  late: boolean;
  answered_by: string;
  via: "editor" | "envoy answer" | "script" | "policy";
  operation_id?: string;
  user: string;
  email?: string;
}
/** The commit point. It carries the whole journal: from here on the answer is applied, whatever happens. */
export interface Answered {
  type: "answered";
  answer: Answer;
  changes: Change[];
  result: GateResult;
}
export interface Withdrawn {
  type: "withdrawn";
  reason?: string;
  saved?: string;
}
/** What a change turned out to be, where that cannot be told from the change itself. */
export interface Stepped {
  type: "stepped";
  index: number;
  outcome: Outcome;
}
export interface Applied {
  type: "applied";
  result?: GateResult;
}
export interface Delivered {
  type: "delivered";
}
export type GateFact =
  | Opened
  | Reformed
  | Extended
  | Expired
  | Tried
  | HandedBack
  | Told
  | Filled
  | Answered
  | Withdrawn
  | Stepped
  | Applied
  | Delivered;

export interface GateResult {
  gate: string;
  gate_id: string;
  proceed?: boolean;
  summary: string;
  next: string;
  waited_ms: number;
  [field: string]: unknown;
}

export interface GateState {
  id: string;
  /** How many facts it was made of. */
  length: number;
  opened: Recorded<Opened>;
  subject: unknown;
  form: WrittenForm;
  /** What an editor that was opened earlier may still show, newest last. */
  formerForms: WrittenForm[];
  deadline: Date | null;
  expired?: Recorded<Expired>;
  handedBack?: Recorded<HandedBack>;
  timesHandedBack: number;
  /** Nothing is left to tell an agent about the last form that was handed back. */
  told: boolean;
  /** All that envoy ever gave back: whoever saves one of these again has not answered. */
  handedBackTexts: string[];
  filled?: Recorded<Filled>;
  end?: Recorded<Answered> | Recorded<Withdrawn>;
  outcomes: Map<number, Outcome>;
  applied?: Recorded<Applied>;
  delivered: boolean;
}

/** Undefined before the first fact. */
export function foldGate(id: string, facts: readonly Recorded<GateFact>[]): GateState | undefined {
  checkFacts(id, facts);
  const [opened] = facts;
  if (opened?.type !== "opened") return undefined;
  const state: GateState = {
    id,
    length: facts.length,
    opened,
    subject: opened.subject,
    form: opened.form,
    formerForms: [],
    deadline: date(opened.deadline),
    timesHandedBack: 0,
    told: true,
    handedBackTexts: [],
    outcomes: new Map(),
    delivered: false,
  };
  for (const fact of facts) apply(state, fact);
  return state;
}

const date = (text: string | null): Date | null => (text === null ? null : new Date(text));

function apply(state: GateState, fact: Recorded<GateFact>): void {
  switch (fact.type) {
    case "opened":
    case "tried":
      return;
    case "reformed":
      state.subject = fact.subject;
      state.formerForms.push(state.form);
      state.form = fact.form;
      return;
    case "extended":
      state.deadline = date(fact.deadline);
      delete state.expired;
      return;
    case "expired":
      state.expired = fact;
      return;
    case "handed_back":
      state.handedBack = fact;
      state.timesHandedBack += 1;
      state.told = fact.too_many_tokens === undefined;
      state.handedBackTexts.push(fact.text);
      return;
    case "told":
      state.told = true;
      return;
    case "filled":
      state.filled = fact;
      return;
    case "answered":
    case "withdrawn":
      state.end ??= fact;
      return;
    case "stepped":
      state.outcomes.set(fact.index, fact.outcome);
      return;
    case "applied":
      state.applied = fact;
      return;
    case "delivered":
      state.delivered = true;
  }
}
