import { archivePlan, listPlans } from "../../src/stores/plans.ts";
import { EnvoyError } from "../../schemas/errors.ts";
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
    const project = await openProject(context);
    const name = input.plan ?? (await openPlan(context, input["plan-dir"])).name;
    const plans = await listPlans(project);
    if (!plans.some((plan) => plan.name === name))
      throw new EnvoyError("plan_not_found", { plan: name, known: plans.map((plan) => plan.name) });
    return { data: { plan: name, archived_to: await archivePlan(project, name) } };
  },
});
