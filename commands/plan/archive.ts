import { archivePlan, planNamed } from "../../src/stores/plans.ts";
import { defineCommand } from "../command.ts";
import { planDir } from "../flags.ts";
import { openPlan } from "../open-plan.ts";
import { openProject } from "../open-project.ts";
import { optionalText } from "../positionals.ts";

export const command = defineCommand({
  summary: "Put a plan away; its files stay in plans/_archive",
  positionals: { plan: optionalText("plan", "the plan's name as `envoy plan list` shows it; without it the current one") },
  flags: { "plan-dir": planDir() },
  example: "envoy plan archive feature-login",
  async run(input, context) {
    const plan =
      input.plan === undefined ? await openPlan(context, input["plan-dir"]) : await planNamed(await openProject(context), input.plan);
    return { data: { plan: plan.name, archived_to: await archivePlan(plan) } };
  },
});
