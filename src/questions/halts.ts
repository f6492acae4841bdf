// Who is halted: a function of the questions and the manual halts, and of nothing else.
import { inOrder } from "../system/in-order.ts";
import type { HaltReach } from "../../schemas/question-words.ts";
import type { Recorded } from "../stores/records.ts";
import { type Question, isHaltingNow } from "./question.ts";

export type HaltScope = "agent" | "session" | "task" | "all";
export interface ManualHalt {
  halt_id: string;
  scope: HaltScope;
  /** Which agent, session or task; empty for everyone. */
  id: string;
  reason: string;
  halted_by: string;
  since: string;
  question_id?: string;
  resumed?: { at: string; by: string; answer?: string };
}
export type HaltFact =
  | { type: "halted"; scope: HaltScope; id: string; reason: string; halted_by: string; question_id?: string }
  | { type: "resumed"; resumed_by: string; answer?: string };

export function foldHalt(haltId: string, facts: readonly Recorded<HaltFact>[]): ManualHalt | undefined {
  const [first] = facts;
  if (first?.type !== "halted") return undefined;
  const { scope, id, reason, halted_by, question_id } = first;
  const resumed = facts.find((fact) => fact.type === "resumed");
  return {
    halt_id: haltId,
    scope,
    id,
    reason,
    halted_by,
    since: first.at,
    ...(question_id === undefined ? {} : { question_id }),
    ...(resumed
      ? { resumed: { at: resumed.at, by: resumed.resumed_by, ...(resumed.answer === undefined ? {} : { answer: resumed.answer }) } }
      : {}),
  };
}

export interface Who {
  agent: string;
  session?: string | undefined;
  task?: string | undefined;
}
export interface HaltReason {
  scope: HaltScope;
  id: string;
  question_id?: string;
  halt_id?: string;
  reason: string;
  since: string;
}
export interface State {
  questions: readonly Question[];
  halts: readonly ManualHalt[];
}

/** Every reason why this agent may not go on, the oldest first. */
export function haltReasons({ questions, halts }: State, who: Who): HaltReason[] {
  const asked = questions.flatMap((question) => {
    const scope = isHaltingNow(question) && scopeFor(question, who);
    if (!scope) return [];
    const id = scope === "agent" ? question.agent_id : scope === "session" ? question.session_id! : "";
    return [{ scope, id, question_id: question.question_id, reason: question.prompt, since: question.created_at }];
  });
  const manual = halts
    .filter((halt) => !halt.resumed && concerns(halt, who))
    .map(({ scope, id, reason, since, halt_id, question_id }) => ({
      scope,
      id,
      ...(question_id === undefined ? {} : { question_id }),
      halt_id,
      reason,
      since,
    }));
  return [...asked, ...manual].sort((a, b) => inOrder(a.since, b.since));
}

function scopeFor(question: Question, { agent, session }: Who): HaltReach | undefined {
  if (question.agent_id === agent) return "agent";
  const reaches = (scope: HaltReach) => question.halts === scope || question.halts === "all";
  if (reaches("session") && session !== undefined && question.session_id === session) return "session";
  return question.halts === "all" ? "all" : undefined;
}

function concerns({ scope, id }: ManualHalt, { agent, session, task }: Who): boolean {
  return scope === "all" || id === { agent, session, task }[scope];
}

export interface HaltStatus {
  systemHalted: boolean;
  haltedSessions: string[];
  haltedAgents: string[];
}

/** All that is halted, by name. */
export function haltStatus({ questions, halts }: State): HaltStatus {
  const halting = questions.filter(isHaltingNow);
  const manual = halts.filter((halt) => !halt.resumed);
  const named = (scope: HaltScope) => manual.filter((halt) => halt.scope === scope).map(({ id }) => id);
  const sessions = halting.flatMap(({ halts, session_id }) => (halts !== "agent" && session_id !== undefined ? [session_id] : []));
  return {
    systemHalted: halting.some(({ halts }) => halts === "all") || manual.some(({ scope }) => scope === "all"),
    haltedSessions: [...new Set([...sessions, ...named("session")])].sort(),
    haltedAgents: [...new Set([...halting.map(({ agent_id }) => agent_id), ...named("agent")])].sort(),
  };
}
