import { initPlan } from "../../src/stores/plans.ts";
import { defineCommand } from "../command.ts";
import { planDir } from "../flags.ts";
import { openPlan, planChoice } from "../open-plan.ts";
import { openProject } from "../open-project.ts";

export const command = defineCommand({
  summary: "Make the plan of the current branch; harmless to repeat",
  flags: { "plan-dir": planDir() },
  example: "envoy plan init",
  async run(input, context) {
    const project = await openProject(context);
    const { plan, created } = await initPlan(project, planChoice(context, input["plan-dir"]));
    if (!created) await openPlan(context, input["plan-dir"]); // finishes what was begun there
    const message = created ? "" : `The plan is there already, since ${plan.createdAt}; nothing in it was changed.`;
    const data = { plan: plan.name, branch: plan.branch, plan_dir: plan.directory, created, created_at: plan.createdAt, message };
    return { data: { ...data, next: "Write findings: envoy plan write-finding <specialist> --notes … --approaches …" } };
  },
});
