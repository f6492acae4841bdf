import { now } from "../src/system/clock.ts";
import { attach } from "../src/gate/attach.ts";
import { findGate } from "../src/gate/find.ts";
import { look } from "../src/gate/look.ts";
import { waitForGate } from "../src/gate/wait.ts";
import { defineCommand } from "./command.ts";
import { waitOptions } from "./gate-command.ts";
import { waitFlags } from "./gate-flags.ts";
import { gateName } from "./gate-name.ts";
import { type Asking, announce, replyTo } from "./gate-reply.ts";
import { openHouse } from "./house.ts";

export const command = defineCommand({
  summary: "Go on waiting for any gate, or get its recorded result",
  details:
    "Of a gate that has ended it returns the result, for ever. Past the deadline it returns `timeout`, unless there is an answer or --timeout.",
  positionals: { id: gateName() },
  flags: waitFlags(),
  example: "envoy wait g_7k2m9xq4twe --wait 9m",
  async run(input, context) {
    const house = await openHouse(context);
    const found = await findGate(house, input.id);
    const asking: Asking = { house, context, flags: input, resume: (id) => `wait ${id}`, again: `envoy wait ${found.id} --timeout 12h` };
    if (!found.end && input.timeout !== undefined) await attach(house, found.id, { timeoutMs: input.timeout, periodMs: input.timeout });
    const seen = await look(house, found.id);
    if (seen.state === "open" && !(seen.gate.deadline && seen.gate.deadline <= now())) announce(seen.gate, asking, "attached to");
    return replyTo(await waitForGate(house, found.id, waitOptions(context, input)), asking);
  },
});
