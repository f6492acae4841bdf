// A rejected variant's branch and worktree, put away as `archive/<branch>` and into envoy's trash.
import { join } from "node:path";
import { formatSubjectId } from "../../schemas/names.ts";
import { emptyTrash } from "../system/trash.ts";
import type { Change, ChangeContext, Outcome } from "./changes.ts";

/** How long what was put away can still be had. */
const KEPT_MS = 14 * 24 * 3_600_000;

type Discard = Extract<Change, { change: "discard_branch" }>;

/** Where everything will be afterwards; a discard that was killed is finished by this. */
export async function prepareDiscard(change: Discard, { project, gateId }: ChangeContext): Promise<Discard> {
  const { repository, directory } = project;
  if (change.branch === null || !repository) return change;
  const { planDiscard } = await import("../system/git-discard.ts");
  return { ...change, plan: await planDiscard(repository.commonDir, change.branch, { trashFolder: join(directory, "trash"), gateId }) };
}

export async function discard({ prompt, plan }: Discard, { project }: ChangeContext): Promise<Outcome> {
  if (!plan || !project.repository)
    return { problems: [`Prompt ${formatSubjectId(prompt)} has no branch of its own; there was nothing to archive.`] };
  const { discardBranch } = await import("../system/git-discard.ts");
  await emptyTrash(join(project.directory, "trash"), KEPT_MS);
  return { ...(await discardBranch(project.repository.commonDir, plan)) };
}
