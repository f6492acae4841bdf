import { EnvoyError } from "../schemas/errors.ts";
import { attach } from "../src/gate/attach.ts";
import type { GateState } from "../src/gate/history.ts";
import { findGate } from "../src/gate/find.ts";
import { look } from "../src/gate/look.ts";
import { waitForGate } from "../src/gate/wait.ts";
import { now } from "../src/system/clock.ts";
import { defineCommand } from "./command.ts";
import { toggle } from "./flags.ts";
import { waitOptions } from "./gate-command.ts";
import { waitFlags } from "./gate-flags.ts";
import { gateNames } from "./gate-name.ts";
import { type Asking, announce, replyTo } from "./gate-reply.ts";
import { openHouse } from "./house.ts";

export const command = defineCommand({
  summary: "Go on waiting for any gates or questions, or get their recorded results",
  details:
    "Of what has ended it returns the result, for ever. Past the deadline it returns `timeout` or `question_expired`, unless there is an answer or --timeout.",
  positionals: { ids: gateNames() },
  flags: {
    ...waitFlags(),
    any: toggle("of several: until the first of them has ended"),
    all: toggle("of several: until all have ended, which is the default"),
  },
  example: "envoy wait g_7k2m9xq4twe --wait 9m",
  async run(input, context) {
    if (input.any && input.all) throw new EnvoyError("conflicting_flags", { flags: "--any and --all", command: "wait" });
    const house = await openHouse(context);
    const ids: string[] = [];
    for (const given of input.ids) ids.push((await findGate(house, given)).id);
    const [only = "", ...others] = ids;
    const asking: Asking = { house, context, flags: input, resume: (id) => `wait ${id}`, again: `wait ${only} --timeout 12h` };
    const gates: GateState[] = [];
    for (const id of ids) {
      const before = await look(house, id);
      if (before.state === "open" && input.timeout !== undefined)
        await attach(house, id, { timeoutMs: input.timeout, periodMs: input.timeout });
      const seen = await look(house, id);
      if (seen.state === "open" && !(seen.gate.deadline && seen.gate.deadline <= now())) announce(seen.gate, asking, "attached to");
      gates.push(seen.gate);
    }
    if (!others.length) return replyTo(await waitForGate(house, gates[0]!, waitOptions(context, input)), asking);
    const { waitForSeveral } = await import("./wait-several.ts");
    return waitForSeveral(gates, asking, { any: input.any });
  },
});
