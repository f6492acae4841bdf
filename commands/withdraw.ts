import { findGate } from "../src/gate/find.ts";
import { withdraw } from "../src/gate/withdraw.ts";
import { defineCommand } from "./command.ts";
import { text } from "./flags.ts";
import { gateName } from "./gate-name.ts";
import { openHouse } from "./house.ts";

export const command = defineCommand({
  summary: "End a gate without an answer; its waiters are told, the text is kept",
  positionals: { id: gateName() },
  flags: { reason: text("why, for those who wait") },
  example: `envoy withdraw plan_gate --reason "The feature was dropped."`,
  async run({ id, reason }, context) {
    const house = await openHouse(context);
    const gate = await withdraw(house, (await findGate(house, id)).id, reason);
    return { data: { gate_id: gate.id, gate: gate.opened.key, gate_status: "withdrawn", reason } };
  },
});
