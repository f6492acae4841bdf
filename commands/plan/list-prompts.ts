import { formatSubjectId } from "../../schemas/names.ts";
import { readAllPrompts } from "../../src/stores/prompts.ts";
import { defineCommand } from "../command.ts";
import { planDir } from "../flags.ts";
import { openPlan } from "../open-plan.ts";
import { summarisePrompt } from "../show-plan.ts";

export const command = defineCommand({
  summary: "All prompts with their status",
  flags: { "plan-dir": planDir() },
  example: "envoy plan list-prompts",
  async run(given, context) {
    const prompts = await readAllPrompts(await openPlan(context, given["plan-dir"]));
    const table = {
      columns: ["prompt", "status", "branch", "description"],
      rows: prompts.map(({ id, front }) => [
        formatSubjectId(id),
        front.in_progress ? `${front.status} (in progress)` : front.status,
        front.worktree_branch_name ?? "",
        front.description ?? "",
      ]),
      empty: "No prompts yet. Run `envoy plan write-prompt 1 --description …`.",
    };
    return { data: { prompts: prompts.map(summarisePrompt) }, table };
  },
});
