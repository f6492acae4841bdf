// simple-git, for what changes branches and worktrees. Loaded only by commands that do.
import { type SimpleGit, simpleGit } from "simple-git";
import { gitFailed } from "./git.ts";

export interface NewWorktree {
  path: string;
  branch: string;
  /** The branch whose tip the new one starts at. */
  from: string;
  /** The branch is there already and only lacks a worktree. */
  reuseBranch: boolean;
}

const ref = (branch: string) => `refs/heads/${branch}`;

export async function branchCommit(root: string, branch: string): Promise<string | undefined> {
  const found = await attempt("read a branch", open(root).raw(["for-each-ref", "--format=%(objectname) %(refname)", ref(branch)]));
  const line = found.split("\n").find((candidate) => candidate.endsWith(` ${ref(branch)}`));
  return line?.split(" ")[0];
}

/** Where the branch is checked out. */
export async function worktreeOf(root: string, branch: string): Promise<string | undefined> {
  const listed = await attempt("list worktrees", open(root).raw(["worktree", "list", "--porcelain", "-z"]));
  for (const entry of listed.split("\0\0")) {
    const lines = entry.split("\0");
    if (lines.includes(`branch ${ref(branch)}`) && !lines.some((line) => line.startsWith("prunable"))) {
      return lines.find((line) => line.startsWith("worktree "))?.slice("worktree ".length);
    }
  }
  return undefined;
}

/** Untracked files count, ignored ones do not. */
export async function hasUncommittedWork(worktree: string): Promise<boolean> {
  return (await attempt("look for uncommitted work", open(worktree).raw(["status", "--porcelain", "--no-renames"]))).trim() !== "";
}

export async function addWorktree(root: string, { path, branch, from, reuseBranch }: NewWorktree): Promise<void> {
  const git = open(root);
  const valid = await attempt("check a branch's name", git.raw(["check-ref-format", "--normalize", ref(branch)]));
  if (branch.startsWith("-") || valid.trim() !== ref(branch)) throw gitFailed("make a worktree", `${branch} is no valid branch name.`);
  await attempt("forget worktrees that are gone", git.raw(["worktree", "prune"]));
  const args = reuseBranch ? ["worktree", "add", "--", path, branch] : ["worktree", "add", "-b", branch, "--", path, ref(from)];
  await attempt("make a worktree", git.raw(args));
}

/** simple-git drops every GIT_ variable, those that name another repository too; the user's configuration must stay. */
const open = (root: string): SimpleGit =>
  simpleGit({ baseDir: root, allowEnvironment: Object.keys(process.env).filter((name) => name.startsWith("GIT_CONFIG_")) });

async function attempt<T>(action: string, work: PromiseLike<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const lines = (error as Error).message.trim().split("\n");
    const reason = lines.find((line) => line.includes("spawn git ENOENT")) ?? lines.findLast((line) => line.trim() !== "");
    throw gitFailed(action, reason ?? "unknown reason");
  }
}
