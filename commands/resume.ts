import { haltReasons } from "../src/questions/halts.ts";
import { resume } from "../src/questions/halting.ts";
import { readState } from "../src/questions/state.ts";
import { readConfig } from "../src/stores/config.ts";
import { refuseAgents } from "./agents.ts";
import { defineCommand } from "./command.ts";
import { text } from "./flags.ts";
import { scopeFlags, scopeFrom } from "./halt-scope.ts";
import { openSettledHouse } from "./settled-house.ts";

export const command = defineCommand({
  summary: "Lift the manual halts of an agent, a session, a task or everyone",
  details: "It closes no question: whoever is halted by one stays so.",
  flags: { ...scopeFlags(), answer: text("what to tell those who wait"), by: text("who resumes; default: human", "WHO") },
  example: `envoy resume --agent builder-1 --answer "Use the release branch"`,
  async run(input, context) {
    const scope = scopeFrom(input, "resume");
    const house = await openSettledHouse(context);
    refuseAgents(context, (await readConfig(house.project.directory)).config.human_input, "lifting a halt");
    const { answer } = input;
    const lifted = await resume(house, scope, { by: input.by ?? "human", ...(answer === undefined ? {} : { answer }) });
    const who = { agent: "", [scope.scope]: scope.id };
    const still = haltReasons(await readState(house), who);
    const resumed = lifted.map(({ halt_id, reason, since }) => ({ halt_id, reason, since }));
    return { data: { resumed: lifted.length > 0, ...scope, halts: resumed, still_halted: still.length > 0, reasons: still } };
  },
});
