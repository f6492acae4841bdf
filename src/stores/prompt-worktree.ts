// A prompt's branch and worktree: made once, found again ever after.
import { lstat } from "node:fs/promises";
import { join, sep } from "node:path";
import { EnvoyError } from "../../schemas/errors.ts";
import { type SubjectId, formatSubjectId, shortSubjectId } from "../../schemas/names.ts";
import { makeFolder } from "../system/atomic-file.ts";
import type { Plan } from "./plans.ts";
import type { Project } from "./project.ts";
import { type Prompt, editPrompt } from "./prompts.ts";

export interface StartedPrompt {
  branch: string;
  worktree: string;
  created: boolean;
}

/** git comes first, the record second: killed between the two, the next run finds the worktree and records it. */
export async function startPrompt(
  { project, plan }: { project: Project; plan: Plan },
  id: SubjectId,
  path?: string,
): Promise<StartedPrompt> {
  const root = project.repository?.commonDir;
  if (root === undefined || plan.branch === undefined) throw new EnvoyError("not_in_git", { directory: plan.directory });
  const feature = plan.branch;
  let started: StartedPrompt | undefined;
  await editPrompt(plan, id, async (prompt) => {
    started = await findOrMake(
      { root, feature, folder: path ?? join(project.directory, "worktrees", `${plan.name}--${shortSubjectId(id)}`), project },
      prompt,
    );
    return { worktree_branch_name: started.branch, in_progress: true };
  });
  return started!;
}

interface Place {
  root: string;
  feature: string;
  folder: string;
  project: Project;
}

async function findOrMake({ root, feature, folder, project }: Place, prompt: Prompt): Promise<StartedPrompt> {
  const { addWorktree, branchCommit, worktreeOf } = await import("../system/git-history.ts");
  const recorded = prompt.front.worktree_branch_name;
  const branch = recorded ?? `${feature}--${shortSubjectId(prompt.id)}`;
  if (branch === feature) throw takenForFeature(prompt.file, feature);
  const existing = await worktreeOf(root, branch);
  if (existing !== undefined && (recorded || existing === folder)) return { branch, worktree: existing, created: false };

  const hasBranch = (await branchCommit(root, branch)) !== undefined;
  if (hasBranch && !recorded) throw new EnvoyError("branch_exists", { branch, prompt_id: formatSubjectId(prompt.id) });
  if (!hasBranch && (await branchCommit(root, feature)) === undefined) throw new EnvoyError("no_commits", { branch: feature });
  if (await exists(folder))
    throw new EnvoyError("path_taken", { path: folder, purpose: `the worktree of prompt ${formatSubjectId(prompt.id)}` });
  if (folder.startsWith(project.directory + sep)) await makeFolder(project.root, join(project.directory, "worktrees"));
  await addWorktree(root, { path: folder, branch, from: feature, reuseBranch: hasBranch });
  return { branch, worktree: folder, created: true };
}

export interface Uncommitted {
  branch: string;
  worktree: string;
}

/** Work in the worktrees of these branches that no commit has. A worktree that git cannot read says nothing. */
export async function uncommittedIn({ repository }: Project, branches: readonly string[]): Promise<Uncommitted[]> {
  if (!repository || !branches.length) return [];
  const { hasUncommittedWork, worktreeOf } = await import("../system/git-history.ts");
  const look = async (branch: string): Promise<Uncommitted[]> => {
    const worktree = await worktreeOf(repository.commonDir, branch);
    return worktree !== undefined && (await hasUncommittedWork(worktree)) ? [{ branch, worktree }] : [];
  };
  const found = await Promise.all(branches.map((branch) => look(branch).catch(unreadable)));
  return found.flat();
}

function unreadable(error: unknown): [] {
  if (error instanceof EnvoyError) return [];
  throw error;
}

const takenForFeature = (file: string, feature: string) =>
  new EnvoyError("invalid_file", {
    file,
    issues: [{ file, path: "worktree_branch_name", message: `${feature} is the plan's own branch and cannot be a prompt's` }],
  });

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );
