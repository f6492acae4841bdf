import type { Decision } from "./gate.ts";
import type { GateResult, GateState } from "./history.ts";

export const isLate = ({ deadline }: GateState, at: Date): boolean => deadline !== null && at > deadline;

/** What every result carries, around the gate's own fields. */
export function resultOf(gate: GateState, decision: Decision, { thoughts, at }: { thoughts: string; at: Date }): GateResult {
  const { result, proceed, summary, next } = decision;
  return {
    gate: gate.opened.key,
    gate_id: gate.id,
    thoughts,
    ...result,
    ...(proceed === undefined ? {} : { proceed }),
    summary,
    next,
    waited_ms: Math.max(0, at.getTime() - Date.parse(gate.opened.at)),
    ...(isLate(gate, at) ? { late: true } : {}),
  };
}
