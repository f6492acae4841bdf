import { resolve } from "node:path";
import { formatSubjectId, spokenSubjectId } from "../../schemas/names.ts";
import { startPrompt } from "../../src/stores/prompt-worktree.ts";
import { defineCommand } from "../command.ts";
import { planDir, text } from "../flags.ts";
import { openPlanOfProject } from "../open-plan.ts";
import { subject } from "../positionals.ts";

export const command = defineCommand({
  summary: "Make a branch and a worktree for a prompt; harmless to repeat",
  positionals: { id: subject() },
  flags: { worktree: text("where the worktree goes; default: inside envoy's folder", "PATH"), "plan-dir": planDir() },
  example: "envoy plan start-prompt 2 A",
  async run({ id, worktree, "plan-dir": dir }, context) {
    const { project, plan } = await openPlanOfProject(context, dir);
    const started = await startPrompt({ project, plan }, id, worktree === undefined ? undefined : resolve(context.cwd, worktree));
    const next = `Work in ${started.worktree}; then envoy plan complete-prompt ${spokenSubjectId(id)}`;
    return {
      data: {
        prompt_id: formatSubjectId(id),
        worktree_branch_name: started.branch,
        worktree: started.worktree,
        created: started.created,
        in_progress: true,
        next,
      },
    };
  },
});
