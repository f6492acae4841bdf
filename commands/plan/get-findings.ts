import { readAllFindings } from "../../src/stores/findings.ts";
import { defineCommand } from "../command.ts";
import { planDir, toggle } from "../flags.ts";
import { openPlan } from "../open-plan.ts";
import { showApproach, summariseApproach } from "../show-plan.ts";

export const command = defineCommand({
  summary: "All findings of the plan",
  flags: { full: toggle("with every approach's detail"), "plan-dir": planDir() },
  example: "envoy plan get-findings --full",
  async run({ full, "plan-dir": dir }, context) {
    const all = await readAllFindings(await openPlan(context, dir));
    const findings = all.map(({ findings: { approaches, ...rest } }) => ({
      ...rest,
      approaches: (approaches ?? []).map(full ? showApproach : summariseApproach),
    }));
    return { data: { findings } };
  },
});
