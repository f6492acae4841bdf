import { listPlans, openForms } from "../../src/stores/plans.ts";
import { formatDuration } from "../../src/system/durations.ts";
import { now } from "../../src/system/clock.ts";
import { defineCommand } from "../command.ts";
import { openProject } from "../open-project.ts";

export const command = defineCommand({
  summary: "All plans of the repository with branch, age and open gates",
  example: "envoy plan list",
  async run(_input, context) {
    const plans = await listPlans(await openProject(context));
    const rows = await Promise.all(
      plans.map(async (plan) => ({
        plan: plan.name,
        branch: plan.branch,
        created_at: plan.createdAt,
        plan_dir: plan.directory,
        open_gates: await openForms(plan),
      })),
    );
    const age = (at: string | undefined) => (at ? formatDuration(now().getTime() - Date.parse(at)) : "");
    const table = {
      columns: ["plan", "branch", "age", "open gates"],
      rows: rows.map((row) => [row.plan, row.branch ?? "", age(row.created_at), row.open_gates.join(", ")]),
      empty: "No plans yet. Run `envoy plan init`.",
    };
    return { data: { plans: rows }, table };
  },
});
