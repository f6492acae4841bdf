import { requireApproach, requireFindings } from "../../src/stores/findings.ts";
import { defineCommand } from "../command.ts";
import { planDir } from "../flags.ts";
import { openPlan } from "../open-plan.ts";
import { specialist, subject } from "../positionals.ts";
import { showApproach } from "../show-plan.ts";

export const command = defineCommand({
  summary: "One approach of a specialist",
  positionals: { specialist: specialist(), id: subject() },
  flags: { "plan-dir": planDir() },
  example: "envoy plan get-finding-approach frontend 1 A",
  async run({ specialist: name, id, "plan-dir": dir }, context) {
    const found = await requireFindings(await openPlan(context, dir), name);
    return { data: { specialist_name: name, ...showApproach(requireApproach(found, id)) } };
  },
});
