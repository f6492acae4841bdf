import { readPlanText } from "../../src/stores/plan-text.ts";
import { defineCommand } from "../command.ts";
import { planDir } from "../flags.ts";
import { openPlan } from "../open-plan.ts";

export const command = defineCommand({
  summary: "The plan's text",
  flags: { "plan-dir": planDir() },
  example: "envoy plan get-plan",
  async run(given, context) {
    const plan = await openPlan(context, given["plan-dir"]);
    const { front, body, file } = await readPlanText(plan);
    return { data: { plan: plan.name, branch: plan.branch, ...front, context: body.trim(), file } };
  },
});
