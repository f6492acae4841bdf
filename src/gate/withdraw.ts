import { EnvoyError } from "../../schemas/errors.ts";
import { readSaved } from "../stores/form-files.ts";
import { decode } from "./decode.ts";
import { finish } from "./finish.ts";
import type { GateState } from "./history.ts";
import { type House, lockGate, placeOf, record, requireGate } from "./house.ts";
import { look } from "./look.ts";

/** Ends a gate without an answer, unless the form holds one: that came first. What the person had typed stays in the record. */
export async function withdraw(house: House, id: string, reason?: string): Promise<GateState> {
  for (;;) {
    const seen = await look(house, id);
    if (seen.state === "ended") throw ended(seen.gate);
    const withdrawn = await lockGate(house, id, async () => {
      const gate = await requireGate(house, id);
      if (gate.end) throw ended(gate);
      const saved = await readSaved(placeOf(house, id, gate.opened));
      if (saved && !saved.bytes.equals(seen.bytes)) return undefined; // saved since
      const text = saved && decode(saved.bytes).text;
      await record(house, gate, { type: "withdrawn", ...(reason ? { reason } : {}), ...(text === undefined ? {} : { saved: text }) });
      return finish(house, id, { locked: true });
    });
    if (withdrawn) return withdrawn;
  }
}

const ended = ({ id, opened, end }: GateState) => new EnvoyError("gate_ended", { gate: opened.key, gate_id: id, how: end!.type });
