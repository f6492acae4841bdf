import { constants } from "node:os";
import { EXIT } from "../schemas/errors.ts";
import { haltReasons } from "../src/questions/halts.ts";
import { settleQuestions } from "../src/questions/settle.ts";
import { readState } from "../src/questions/state.ts";
import { type Context, type Reply, defineCommand } from "./command.ts";
import { toggle } from "./flags.ts";
import { duration } from "./gate-flags.ts";
import { openHouse } from "./house.ts";
import { whoAsks, whoFlags } from "./who-asks.ts";

export const command = defineCommand({
  summary: "May this agent go on? Exit code 0 or 10; cheap enough for every tool call",
  details: "--wait waits until nothing halts it any more.",
  flags: {
    ...whoFlags(),
    wait: toggle("wait until nothing halts this agent"),
    timeout: duration("wait so long at most; default: ENVOY_WAIT, or without end"),
  },
  example: "envoy check --agent builder-1",
  async run(input, context) {
    const house = await openHouse(context);
    const who = whoAsks(context, input);
    const halted = haltReasons(await readState(house, await settleQuestions(house)), who);
    if (!input.wait) {
      const reasons = halted.map(({ halt_id: _halt, ...reason }) => reason);
      return { data: { can_proceed: !reasons.length, reasons }, exitCode: reasons.length ? EXIT.notCleared : EXIT.success };
    }
    if (halted.length)
      context.note(`envoy: ${who.agent} is halted by ${halted.map(({ reason }) => reason).join("; ")}. Waiting until it is lifted.`);
    const { waitForClearance } = await import("../src/questions/clearance.ts");
    const ms = input.timeout ?? context.environment.ENVOY_WAIT;
    const until = ms === undefined ? undefined : new Date(Date.now() + ms);
    return cleared(await waitForClearance(house, who, { until, interrupted: context.interruption(), halted }), context);
  },
});

function cleared(data: { cleared: boolean }, { interruption }: Context): Reply {
  const { aborted, reason } = interruption();
  if (data.cleared) return { data };
  return { data, exitCode: aborted ? 128 + constants.signals[reason as keyof typeof constants.signals] : EXIT.notCleared };
}
