import { EnvoyError } from "../../schemas/errors.ts";
import { formatSubjectId } from "../../schemas/names.ts";
import { clearPrompt } from "../../src/stores/prompts.ts";
import { defineCommand } from "../command.ts";
import { planDir, toggle } from "../flags.ts";
import { openPlan } from "../open-plan.ts";
import { subject } from "../positionals.ts";

export const command = defineCommand({
  summary: "Remove one prompt, also a variant that was given up",
  positionals: { id: subject() },
  flags: { force: toggle("also when it was started; branch and worktree stay"), "plan-dir": planDir() },
  example: "envoy plan clear-prompt 2 B",
  async run({ id, force, "plan-dir": dir }, context) {
    const prompt_id = formatSubjectId(id);
    const plan = await openPlan(context, dir);
    const { front } = await clearPrompt(plan, id, (prompt) => {
      const branch = prompt.front.worktree_branch_name;
      if (branch && !force) throw new EnvoyError("prompt_in_use", { prompt_id, branch });
    });
    return { data: { prompt_id, removed: true, description: front.description, worktree_branch_name: front.worktree_branch_name } };
  },
});
