// Attaching to an open gate: the person's text stays, the form follows its subjects, the deadline follows the caller.
import { now } from "../system/clock.ts";
import type { GateState } from "./history.ts";
import { type House, lockGate, record, requireGate } from "./house.ts";

/** The recorded deadline stays, unless another is asked for or it has passed. */
export async function attach(
  house: House,
  id: string,
  { timeoutMs, periodMs }: { timeoutMs?: number; periodMs: number },
): Promise<GateState> {
  return lockGate(house, id, async () => {
    let gate = await requireGate(house, id);
    if (gate.end) return gate;
    const ms = timeoutMs ?? (gate.deadline && gate.deadline <= now() ? periodMs : undefined);
    if (ms !== undefined) gate = await record(house, gate, { type: "extended", deadline: new Date(now().getTime() + ms).toISOString() });
    const { refreshForm } = await import("./refresh.ts");
    return refreshForm(house, gate);
  });
}
