import { formatSubjectId, sameSubject } from "../../schemas/names.ts";
import { approachId, editFindings, requireApproach, requireFindings } from "../../src/stores/findings.ts";
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
      const approaches = found.findings.approaches ?? [];
      const index = approaches.findIndex((candidate) => sameSubject(approachId(candidate), id));
      const edit = approaches.length === 1 ? { path: ["approaches"], value: [] } : { path: ["approaches", index], value: undefined };
      return { edits: [edit], result: approach };
    });
    return { data: { specialist_name: name, approach_id: formatSubjectId(id), removed: true, description: removed.description } };
  },
});
