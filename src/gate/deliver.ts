import { type House, gateStream, lockGate, readGate, record, requireGate } from "./house.ts";

/** Somebody has the result. Two at once: one fact is enough. */
export async function deliver(house: House, id: string): Promise<void> {
  for (;;) {
    const gate = await readGate(house, id);
    if (!gate || gate.delivered) return;
    if (await house.records.append(gateStream(id), gate.length, { type: "delivered" })) return;
  }
}

/** An agent is about to hear that the logs are too large; whoever asks next goes on waiting. */
export const tell = (house: House, id: string): Promise<unknown> =>
  lockGate(house, id, async () => {
    const gate = await requireGate(house, id);
    return gate.told || gate.end ? gate : record(house, gate, { type: "told" });
  });
