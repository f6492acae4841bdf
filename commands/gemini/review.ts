import { EnvoyError } from "../../schemas/errors.ts";
import { type SubjectId, SUBJECT_RULE, formatSubjectId, shortSubjectId, spokenSubjectId } from "../../schemas/names.ts";
import { branchReviewPrompt } from "../../src/quality/audit.ts";
import { type Prompt, requirePrompt } from "../../src/stores/prompts.ts";
import { committedDiff, readChange } from "../../src/system/git-change.ts";
import { worktreeOf } from "../../src/system/git-history.ts";
import { type Context, type Positional, defineCommand } from "../command.ts";
import { toggle } from "../flags.ts";
import { type OpenedPlan, openPlanOfProject } from "../open-plan.ts";
import { subject } from "../positionals.ts";
import { askReviewer, reviewFlags } from "./ask-reviewer.ts";
import { gate } from "./review-questions.ts";

const optionalSubject = (): Positional<SubjectId | undefined> => ({
  usage: "[n] [variant]",
  help: SUBJECT_RULE,
  take: (queue, command) => (queue.length ? subject().take(queue, command) : undefined),
});

export const command = defineCommand({
  summary: "Have a reviewer judge a prompt's change, or the whole branch's; its questions go to a person",
  details: "What the reviewer says is kept when the form opens: run again, this attaches and does not ask the reviewer twice.",
  positionals: { id: optionalSubject() },
  flags: { full: toggle("the whole change of the branch, instead of one prompt's"), ...reviewFlags() },
  example: "envoy gemini review 2 A --wait 9m",
  async run({ id, full, reviewer, "plan-dir": dir, ...flags }, context) {
    if (id && full) throw new EnvoyError("conflicting_flags", { flags: "<n> and --full", command: "gemini review" });
    if (!id && !full)
      throw new EnvoyError("missing_argument", { name: "<n>", command: "gemini review", rule: `${SUBJECT_RULE}, or --full` });
    const at = await openPlanOfProject(context, dir);
    const { plan } = at;
    return askReviewer(context, flags, {
      gate,
      key: `${id ? shortSubjectId(id) : "full"}_review_questions`,
      at,
      words: `gemini review ${id ? spokenSubjectId(id) : "--full"}`,
      planDir: dir,
      reviewer,
      about: { prompt: id ?? null },
      async material() {
        const prompt = id && (await requirePrompt(plan, id));
        const { directory: cwd, diff } = await changeOf(context, at, prompt);
        if (diff.trim() === "") return { skipped: "nothing is changed." };
        const about = prompt ? { prompt: { id: formatSubjectId(prompt.id), text: prompt.text } } : {};
        return { text: branchReviewPrompt({ diff, ...about }), cwd };
      },
    });
  },
});

/** A prompt with a branch of its own is reviewed there, wherever that is checked out, if at all. */
async function changeOf(
  context: Context,
  { plan, project }: OpenedPlan,
  prompt: Prompt | undefined,
): Promise<{ directory: string; diff: string }> {
  const branch = prompt?.front.worktree_branch_name;
  const { repository } = project;
  if (branch && repository && plan.branch !== undefined) {
    const worktree = await worktreeOf(repository.commonDir, branch);
    const since = plan.branch;
    if (worktree === undefined) return { directory: context.cwd, diff: await committedDiff(repository.commonDir, { branch, since }) };
    return { directory: worktree, diff: (await readChange(worktree, { since }))?.diff ?? "" };
  }
  const change = await readChange(context.cwd);
  if (!change) throw new EnvoyError("not_a_work_tree", { directory: context.cwd });
  return { directory: context.cwd, diff: change.diff };
}
