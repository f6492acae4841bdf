// Drives a round: records before commands start, runs what comes next, records each result as it comes.
import type { GateResult } from "../../schemas/quality.ts";
import type { RoundFact } from "../../schemas/rounds.ts";
import { runCommandGate } from "./command-gate.ts";
import type { Gate, HumanGate } from "./gates.ts";
import { runReview } from "./review.ts";
import { foldRounds, resultsOf } from "./rounds.ts";
import type { ReviewContext } from "./run-reviewer.ts";
import { type RunInput, basisOf, beginRun, endRound, nextStep } from "./steps.ts";

export interface RoundRun {
  /** All facts of the task so far, in order. */
  facts: readonly RoundFact[];
  /** Resolves when they are safe on disk. */
  record: (facts: RoundFact[]) => Promise<void>;
  gates: readonly Gate[];
  notApplicable: readonly string[];
  retry: RunInput["retry"];
  by: string;
  now: () => string;
  /** The tree of the task's directory at this moment. */
  tree: () => Promise<string>;
  context: ReviewContext;
}
export type RoundEnd =
  | { kind: "refused"; phase: "stuck" | "failed"; facts: RoundFact[] }
  /** People are to be asked; their answers are recorded as `gate_finished`, and the round run again. */
  | { kind: "ask"; gates: HumanGate[]; results: GateResult[]; facts: RoundFact[] }
  | { kind: "end"; outcome: "passed" | "failed" | "error"; results: GateResult[]; facts: RoundFact[] };

/** Throws the signal's reason when called off, with every process ended and the round ready to be run again. */
export async function runRound(run: RoundRun): Promise<RoundEnd> {
  const facts = [...run.facts];
  let recorded = Promise.resolve();
  // One after the other, so that here and on disk they stand in the same order.
  const record = (...more: RoundFact[]): Promise<void> => {
    recorded = recorded.then(() => run.record(more)).then(() => void facts.push(...more));
    return recorded;
  };
  const { gates, notApplicable, retry, by } = run;
  const begun = beginRun(facts, { basis: basisOf(await run.tree(), gates), gates, notApplicable, retry, at: run.now(), by });
  if (begun.kind === "refused") return { ...begun, facts };
  await record(...begun.facts);
  for (;;) {
    const { open, phase } = foldRounds(facts, retry);
    if (!open) return { kind: "refused", phase: phase === "failed" ? "failed" : "stuck", facts };
    const step = nextStep(gates, open);
    if (step.kind === "ask") return { ...step, results: resultsOf(open), facts };
    if (step.kind === "run") await runGroup(step.gates, run, record);
    else {
      if (step.outcome !== "error") await record(endRound(facts, step.outcome, { retry, at: run.now(), by }));
      return { ...step, facts };
    }
  }
}

type Machine = Exclude<Gate, HumanGate>;

async function runGroup(group: readonly Machine[], run: RoundRun, record: (fact: RoundFact) => Promise<void>): Promise<void> {
  const calledOff = new AbortController();
  const signal = AbortSignal.any([run.context.signal, calledOff.signal]);
  const runOne = async (gate: Machine): Promise<void> => {
    const result = await runGate(gate, { ...run.context, signal });
    const basis_after = basisOf(await run.tree(), run.gates);
    await record({ type: "gate_finished", at: run.now(), by: run.by, result, basis_after });
    if (gate.failFast && result.outcome === "failed") calledOff.abort();
  };
  const ends = await Promise.allSettled(group.map(runOne));
  run.context.signal.throwIfAborted();
  const fault = ends.find((end) => end.status === "rejected" && end.reason !== calledOff.signal.reason);
  if (fault?.status === "rejected") throw fault.reason;
}

const runGate = (gate: Machine, context: ReviewContext): Promise<GateResult> =>
  gate.type === "command" ? runCommandGate(gate, context) : runReview(gate, context);
