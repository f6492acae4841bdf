import type { FormDescription } from "../form/index.ts";
import type { GateState } from "./history.ts";
import { type House, lockGate, requireGate } from "./house.ts";
import { refreshForm } from "./refresh.ts";

/** Asks about something else in the same open form: what the person has typed stays, and what is new is marked. */
export async function showAgain(house: House, id: string, current: { subject: unknown; form: FormDescription }): Promise<GateState> {
  return lockGate(house, id, async () => {
    const gate = await requireGate(house, id);
    return gate.end ? gate : refreshForm(house, gate, current);
  });
}
