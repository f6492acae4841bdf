import { formatSubjectId, spokenSubjectId } from "../../schemas/names.ts";
import { editPrompt } from "../../src/stores/prompts.ts";
import { defineCommand } from "../command.ts";
import { planDir } from "../flags.ts";
import { openPlan } from "../open-plan.ts";
import { subject } from "../positionals.ts";

export const command = defineCommand({
  summary: "Say that a prompt is implemented",
  positionals: { id: subject() },
  flags: { "plan-dir": planDir() },
  example: "envoy plan complete-prompt 2 A",
  async run({ id, "plan-dir": dir }, context) {
    const plan = await openPlan(context, dir);
    const { front } = await editPrompt(plan, id, () => ({ status: "implemented", in_progress: false }));
    const argument = spokenSubjectId(id);
    const gate = front.requires_manual_testing
      ? `envoy plan block-prompt-testing-gate ${argument}`
      : `envoy plan set-prompt-status ${argument} --status tested`;
    return { data: { prompt_id: formatSubjectId(id), status: front.status, in_progress: front.in_progress, next: gate } };
  },
});
