import { EnvoyError } from "../../schemas/errors.ts";
import { formatSubjectId, spokenSubjectId } from "../../schemas/names.ts";
import { PROMPT_STATUSES } from "../../schemas/plan.ts";
import { editPrompt } from "../../src/stores/prompts.ts";
import { defineCommand } from "../command.ts";
import { planDir, requiredChoice } from "../flags.ts";
import { openPlan } from "../open-plan.ts";
import { subject } from "../positionals.ts";

export const command = defineCommand({
  summary: "Set a prompt's status",
  details: "`tested` on a prompt that requires manual testing is set only by its gate.",
  positionals: { id: subject() },
  flags: { status: requiredChoice(PROMPT_STATUSES, "the new status"), "plan-dir": planDir() },
  example: "envoy plan set-prompt-status 2 A --status merged",
  async run({ id, status, "plan-dir": dir }, context) {
    const prompt_id = formatSubjectId(id);
    const plan = await openPlan(context, dir);
    let before = "";
    await editPrompt(plan, id, ({ front }) => {
      if (status === "tested" && front.requires_manual_testing && front.status !== "tested") {
        throw new EnvoyError("tested_by_gate_only", {
          prompt_id,
          command: `envoy plan block-prompt-testing-gate ${spokenSubjectId(id)}`,
        });
      }
      before = front.status;
      return { status };
    });
    return { data: { prompt_id, status, status_before: before } };
  },
});
