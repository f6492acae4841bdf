// Where a task stands with its gates, derived from its facts alone.
import type { Feedback, GateResult } from "../../schemas/quality.ts";
import type { ROUND_OUTCOMES, RoundFact } from "../../schemas/rounds.ts";
import type { RetryConfig } from "../stores/config.ts";

export const PHASES = ["working", "evaluating", "needs_fixes", "gates_passed", "stuck", "failed"] as const;
export type Phase = (typeof PHASES)[number];

export interface Round {
  iteration: number;
  agent_id: string;
  feedback: Feedback[];
  outcome: (typeof ROUND_OUTCOMES)[number];
  context_exhausted: boolean;
  started_at: string;
  ended_at: string;
}
export interface OpenRound {
  iteration: number;
  agent_id: string;
  started_at: string;
  /** All that the finished gates may be kept for. */
  bases: string[];
  gates: string[];
  notApplicable: string[];
  /** Verdicts, and the errors of the present run only: what befell an earlier one is tried again. */
  results: Map<string, GateResult>;
}
export interface TaskGates {
  phase: Phase;
  /** Of the open round, else of the last one; 0 before the first. */
  iteration: number;
  agent_id?: string;
  gate_index: number;
  feedback: Feedback[];
  /** All rounds that ended in a verdict. */
  rounds: Round[];
  /** Those since the gates passed or a person allowed a new set. */
  currentSet: Round[];
  open?: OpenRound;
  /** The last one that ended in a verdict. */
  last?: OpenRound & { outcome: Round["outcome"]; next_agent?: "same" | "fresh"; announced: boolean };
  work_summary?: string;
  confidence?: number;
  files_modified: string[];
  contextExhausted: boolean;
  /** How often the stop hook has refused for trouble since the last verdict. */
  refusals: number;
  updated_at?: string;
}

/** In the order of the gates, whichever finished first: the same failures are the same feedback. */
export const resultsOf = ({ gates, results }: Pick<OpenRound, "gates" | "results">): GateResult[] =>
  gates.flatMap((name) => results.get(name) ?? []);

export function foldRounds(facts: readonly RoundFact[], { on_stuck }: Pick<RetryConfig, "on_stuck">): TaskGates {
  const state: TaskGates = {
    phase: "working",
    iteration: 0,
    gate_index: 0,
    feedback: [],
    rounds: [],
    currentSet: [],
    files_modified: [],
    contextExhausted: false,
    refusals: 0,
  };
  for (const fact of facts) {
    state.updated_at = fact.at;
    if (fact.type === "checkpoint") noteCheckpoint(state, fact);
    else if (fact.type === "round_started") startRound(state, fact);
    else if (fact.type === "round_resumed") forgetErrors(state.open);
    else if (fact.type === "gate_finished") noteResult(state, fact);
    else if (fact.type === "round_ended") endRound(state, fact, on_stuck);
    else if (fact.type === "stuck_decided") decideStuck(state, fact.decision);
    else if (fact.type === "hook_refused") state.refusals += 1;
    else if (state.last) state.last.announced = true;
  }
  return state;
}

type Fact<T extends RoundFact["type"]> = Extract<RoundFact, { type: T }>;

function noteCheckpoint(state: TaskGates, { by, work_summary, confidence, files_modified, context_exhausted }: Fact<"checkpoint">): void {
  state.agent_id = by;
  if (work_summary !== undefined) state.work_summary = work_summary;
  if (confidence !== undefined) state.confidence = confidence;
  if (files_modified) state.files_modified = files_modified;
  state.contextExhausted ||= context_exhausted ?? false;
}

function startRound(state: TaskGates, { at, by, iteration, basis, gates, not_applicable }: Fact<"round_started">): void {
  if (state.phase === "gates_passed") state.currentSet = [];
  state.open = { iteration, agent_id: by, started_at: at, bases: [basis], gates, notApplicable: not_applicable, results: new Map() };
  Object.assign(state, { phase: "evaluating", iteration, agent_id: by, gate_index: 0, feedback: [] } satisfies Partial<TaskGates>);
}

function forgetErrors(open: OpenRound | undefined): void {
  for (const [name, { outcome }] of open?.results ?? []) if (outcome === "error") open!.results.delete(name);
}

function noteResult(state: TaskGates, { result, basis_after, asked_about }: Fact<"gate_finished">): void {
  const { open } = state;
  if (!open || (asked_about !== undefined && !open.bases.includes(asked_about))) return;
  open.results.set(result.name, result);
  if (basis_after !== undefined && !open.bases.includes(basis_after)) open.bases.push(basis_after);
  state.gate_index = open.results.size;
}

function endRound(state: TaskGates, ended: Fact<"round_ended">, on_stuck: RetryConfig["on_stuck"]): void {
  const { at, outcome, feedback, next_agent } = ended;
  if (!state.open) return;
  state.last = { ...state.open, outcome, announced: false, ...(next_agent ? { next_agent } : {}) };
  const { iteration, agent_id, started_at } = state.open;
  const round = { iteration, agent_id, feedback, outcome, context_exhausted: state.contextExhausted, started_at, ended_at: at };
  state.rounds.push(round);
  state.currentSet.push(round);
  state.feedback = feedback;
  state.phase =
    outcome === "passed" ? "gates_passed" : outcome === "failed_with_retry" ? "needs_fixes" : on_stuck === "human" ? "stuck" : "failed";
  state.contextExhausted = false;
  state.refusals = 0;
  delete state.open;
}

function decideStuck(state: TaskGates, decision: Fact<"stuck_decided">["decision"]): void {
  if (state.phase !== "stuck") return;
  state.phase = decision === "retry" ? "needs_fixes" : decision === "accept" ? "gates_passed" : "failed";
  if (decision === "retry") state.currentSet = [];
}
