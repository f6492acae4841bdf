// What to do next in a round: run gates, ask a person, or end it. Pure, so that a run that was killed anywhere goes on
// exactly where its facts say.
import type { GateResult } from "../../schemas/quality.ts";
import type { RoundFact } from "../../schemas/rounds.ts";
import type { RetryConfig } from "../stores/config.ts";
import { feedbackOfRound } from "./feedback.ts";
import type { Gate, HumanGate } from "./gates.ts";
import { nextAgent } from "./next-agent.ts";
import { type OpenRound, type TaskGates, foldRounds, resultsOf } from "./rounds.ts";

export interface RunInput {
  /** The tree and the gates as they are now: `basisOf`. */
  basis: string;
  gates: readonly Gate[];
  notApplicable: readonly string[];
  retry: RetryConfig;
  at: string;
  by: string;
}
export type Begin = { kind: "begin"; facts: RoundFact[] } | { kind: "refused"; phase: "stuck" | "failed" };

export type Step =
  /** In parallel; when a `failFast` one fails, the others are called off. */
  | { kind: "run"; gates: Exclude<Gate, HumanGate>[] }
  | { kind: "ask"; gates: HumanGate[] }
  | { kind: "end"; outcome: "passed" | "failed" | "error"; results: GateResult[] };

export const basisOf = (tree: string, gates: readonly Gate[]): string => `${tree} ${JSON.stringify(gates)}`;

/** What to record before the first command starts. A run that may not begin at all is refused. */
export function beginRun(facts: readonly RoundFact[], input: RunInput): Begin {
  const state = foldRounds(facts, input.retry);
  const { open } = state;
  const { at, by } = input;
  if (state.phase === "stuck" || state.phase === "failed") return { kind: "refused", phase: state.phase };
  if (open?.bases.includes(input.basis)) return { kind: "begin", facts: [{ type: "round_resumed", at, by }] };
  // The agent has acted on a failure: that round has had its verdict, however its run ended.
  const failed = open && [...open.results.values()].some(({ outcome }) => outcome === "failed");
  if (!failed) return { kind: "begin", facts: [startOf(state, input)] };
  const ended = endRound(facts, "failed", input);
  const after = foldRounds([...facts, ended], input.retry);
  return { kind: "begin", facts: after.phase === "needs_fixes" ? [ended, startOf(after, input)] : [ended] };
}

function startOf(state: TaskGates, { basis, gates, notApplicable, at, by }: RunInput): RoundFact {
  const iteration = (state.phase === "gates_passed" ? 0 : state.currentSet.length) + 1;
  const names = gates.map(({ name }) => name);
  return { type: "round_started", at, by, iteration, basis, gates: names, not_applicable: [...notApplicable] };
}

/** Of the open round. Serial gates and groups in order; a person is asked last in a group, and only about what passed. */
export function nextStep(gates: readonly Gate[], open: OpenRound): Step {
  const resultOf = ({ name }: Gate) => open.results.get(name);
  for (const group of groupsOf(gates.filter(({ name }) => !open.notApplicable.includes(name)))) {
    const failedFast = group.some((gate) => gate.failFast && resultOf(gate)?.outcome === "failed");
    const pending = group.filter((gate) => !resultOf(gate));
    const machines = pending.filter((gate) => gate.type !== "human");
    if (!failedFast && machines.length) return { kind: "run", gates: machines };
    const outcomes = [...open.results.values()].map(({ outcome }) => outcome);
    if (outcomes.includes("error")) return end("error", gates, open);
    if (failedFast || group.some((gate) => gate.serial && resultOf(gate)?.outcome === "failed")) return end("failed", gates, open);
    const people = pending.filter((gate) => gate.type === "human");
    if (people.length && !outcomes.includes("failed")) return { kind: "ask", gates: people };
  }
  const failed = [...open.results.values()].some(({ outcome }) => outcome === "failed");
  return end(failed ? "failed" : "passed", gates, open);
}

/** A serial gate alone; those between two serial ones together. */
function groupsOf(gates: readonly Gate[]): Gate[][] {
  const groups: Gate[][] = [];
  for (const gate of gates) {
    const last = groups.at(-1);
    if (last && !gate.serial && !last[0]!.serial) last.push(gate);
    else groups.push([gate]);
  }
  return groups;
}

function end(outcome: "passed" | "failed" | "error", gates: readonly Gate[], open: OpenRound): Step {
  const results = gates.map(({ name }) => {
    const summary = open.notApplicable.includes(name) ? "its `when` does not hold" : "not reached";
    return open.results.get(name) ?? { name, outcome: "skipped" as const, duration_ms: 0, findings: [], summary };
  });
  return { kind: "end", outcome, results };
}

/** The verdict of the open round. An error is none: nothing is recorded, and the round stays open. */
export function endRound(
  facts: readonly RoundFact[],
  verdict: "passed" | "failed",
  { retry, at, by }: Pick<RunInput, "retry" | "at" | "by">,
): RoundFact {
  const { open, currentSet, contextExhausted } = foldRounds(facts, retry);
  if (verdict === "passed") return { type: "round_ended", at, by, outcome: "passed", feedback: [] };
  const feedback = feedbackOfRound(open ? resultsOf(open) : []);
  if (currentSet.length + 1 >= retry.max_iterations) return { type: "round_ended", at, by, outcome: "failed_max_iterations", feedback };
  const failed = [
    ...currentSet.map((round) => ({ feedback: round.feedback, contextExhausted: round.context_exhausted })),
    { feedback, contextExhausted },
  ];
  return { type: "round_ended", at, by, outcome: "failed_with_retry", feedback, next_agent: nextAgent(retry, failed) };
}
