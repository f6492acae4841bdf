import { EnvoyError } from "../../schemas/errors.ts";
import { readSaved } from "../stores/form-files.ts";
import { decode } from "./decode.ts";
import { finish } from "./finish.ts";
import type { GateState } from "./history.ts";
import { type House, lockGate, placeOf, record, requireGate } from "./house.ts";

/** Ends a gate without an answer. What the person had typed stays in the record. */
export async function withdraw(house: House, id: string, reason?: string): Promise<GateState> {
  return lockGate(house, id, async () => {
    const gate = await requireGate(house, id);
    if (gate.end) throw new EnvoyError("gate_ended", { gate: gate.opened.key, gate_id: id, how: gate.end.type });
    const saved = await readSaved(placeOf(house, id, gate.opened));
    const text = saved && decode(saved.bytes).text;
    await record(house, gate, { type: "withdrawn", ...(reason ? { reason } : {}), ...(text === undefined ? {} : { saved: text }) });
    return finish(house, id, { locked: true });
  });
}
