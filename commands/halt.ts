import { halt } from "../src/questions/halting.ts";
import { ensureProject } from "../src/stores/project.ts";
import { defineCommand } from "./command.ts";
import { requiredText, text } from "./flags.ts";
import { scopeFlags, scopeFrom } from "./halt-scope.ts";
import { openSettledHouse } from "./settled-house.ts";

export const command = defineCommand({
  summary: "Halt an agent, a session, a task or everyone, until `envoy resume`",
  details: "It survives restarts, and no answer lifts it.",
  flags: { ...scopeFlags(), reason: requiredText("why, for those who are halted"), by: text("who halts; default: human", "WHO") },
  example: `envoy halt --agent builder-1 --reason "Wrong branch"`,
  async run(input, context) {
    const scope = scopeFrom(input, "halt");
    const house = await openSettledHouse(context);
    await ensureProject(house.project);
    const by = input.by ?? context.environment.ENVOY_AGENT_ID ?? "human";
    const { halt_id, since } = await halt(house, scope, { reason: input.reason, by });
    return { data: { halted: true, halt_id, ...scope, reason: input.reason, by, since } };
  },
});
