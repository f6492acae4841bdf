import { formatSubjectId } from "../../schemas/names.ts";
import { removeApproach } from "../../src/stores/approach-edits.ts";
import { editFindings, requireApproach, requireFindings } from "../../src/stores/findings.ts";
import { defineCommand } from "../command.ts";
import { planDir } from "../flags.ts";
import { openPlan } from "../open-plan.ts";
import { specialist, subject } from "../positionals.ts";

export const command = defineCommand({
  summary: "Remove one approach of a specialist",
  positionals: { specialist: specialist(), id: subject() },
  flags: { "plan-dir": planDir() },
  example: "envoy plan clear-approach frontend 1 B",
  async run({ specialist: name, id, "plan-dir": dir }, context) {
    const plan = await openPlan(context, dir);
    await requireFindings(plan, name);
    const removed = await editFindings(plan, name, (found) => {
      const approach = requireApproach(found, id);
      return { edits: removeApproach(found.findings.approaches ?? [], id), result: approach };
    });
    return { data: { specialist_name: name, approach_id: formatSubjectId(id), removed: true, description: removed.description } };
  },
});
