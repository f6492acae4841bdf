import { requirePrompt } from "../../src/stores/prompts.ts";
import { defineCommand } from "../command.ts";
import { planDir } from "../flags.ts";
import { openPlan } from "../open-plan.ts";
import { subject } from "../positionals.ts";
import { showPrompt } from "../show-plan.ts";

export const command = defineCommand({
  summary: "One prompt with its text",
  positionals: { id: subject() },
  flags: { "plan-dir": planDir() },
  example: "envoy plan get-prompt 2 A",
  async run({ id, "plan-dir": dir }, context) {
    return { data: showPrompt(await requirePrompt(await openPlan(context, dir), id)) };
  },
});
