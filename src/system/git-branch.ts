// What a branch and its worktree are in the middle of: whether both may be put away.
import { existsSync, realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { mustGit, runGit } from "./git.ts";
import { errorCode } from "./safe-path.ts";

export interface BranchState {
  /** Undefined: there is no such branch. */
  commit?: string;
  /** Where it is checked out. The folder may be gone. */
  worktree?: string;
  /** Why branch and worktree must stay as they are, one sentence each. */
  obstacles: string[];
}

interface Worktree {
  path: string;
  ref?: string;
  detached: boolean;
  /** The reason, which may be empty. */
  locked?: string;
}

/** What is in a worktree's git folder during an operation that another commit or another name would upset. */
const OPERATIONS = {
  "rebase-merge": "a rebase",
  "rebase-apply": "a rebase",
  MERGE_HEAD: "a merge",
  CHERRY_PICK_HEAD: "a cherry-pick",
  REVERT_HEAD: "a revert",
  sequencer: "a cherry-pick or revert",
  BISECT_LOG: "a bisect",
};

export const refOf = (branch: string): string => `refs/heads/${branch}`;

export async function inspectBranch(commonDir: string, branch: string): Promise<BranchState> {
  const [commit, head, worktrees] = await Promise.all([readRef(commonDir, branch), headOf(commonDir), listWorktrees(commonDir)]);
  const own = worktrees.filter(({ ref }) => ref === refOf(branch));
  const obstacles: string[] = [];
  const target = (await runGit(commonDir, ["symbolic-ref", "--quiet", "--short", refOf(branch)])).stdout.trim();
  if (target !== "") obstacles.push(`${branch} is only another name of ${target}.`);
  if (head === refOf(branch)) obstacles.push(`${branch} is checked out in the main worktree.`);
  else if (own.length > 1) obstacles.push(`${branch} is checked out in several places: ${own.map(({ path }) => path).join(", ")}.`);
  else if (own[0]) obstacles.push(...(await obstaclesOf(own[0], commonDir)));
  // During a rebase or a bisect HEAD is detached, and only a file says which branch it will go back to.
  for (const { path } of worktrees.filter(({ detached, path }) => detached && existsSync(path)))
    if (await comesBackTo(path, branch)) obstacles.push(`${branch} is in the middle of a rebase or bisect in ${path}.`);
  return { ...(commit ? { commit } : {}), ...(own[0] ? { worktree: own[0].path } : {}), obstacles };
}

export async function readRef(commonDir: string, branch: string): Promise<string | undefined> {
  const { code, stdout } = await runGit(commonDir, ["show-ref", "--verify", "--hash", "--", refOf(branch)]);
  return code === 0 ? stdout.trim() : undefined;
}

export async function gitDirOf(worktree: string): Promise<string> {
  return (await mustGit("read a worktree", worktree, { args: ["rev-parse", "--absolute-git-dir"] })).replace(/\n$/, "");
}

async function headOf(commonDir: string): Promise<string> {
  return (await runGit(commonDir, ["symbolic-ref", "--quiet", "HEAD"])).stdout.trim();
}

async function listWorktrees(commonDir: string): Promise<Worktree[]> {
  const listed = await mustGit("list worktrees", commonDir, { args: ["worktree", "list", "--porcelain", "-z"] });
  return listed
    .split("\0\0")
    .filter((entry) => entry !== "")
    .map((entry) => {
      const fields = new Map(entry.split("\0").map((line) => [line.split(" ", 1)[0]!, line.slice(line.indexOf(" ") + 1)]));
      const ref = fields.get("branch");
      const locked = fields.get("locked");
      return {
        path: fields.get("worktree") ?? "",
        detached: fields.has("detached"),
        ...(ref === undefined ? {} : { ref }),
        ...(locked === undefined ? {} : { locked: locked === "locked" ? "" : locked }),
      };
    });
}

async function obstaclesOf({ path, locked }: Worktree, commonDir: string): Promise<string[]> {
  if (locked !== undefined) return [`The worktree ${path} is locked${locked === "" ? "" : ` (${locked})`}.`];
  if (!existsSync(path)) return [];
  const gitDir = await gitDirOf(path);
  // A folder that lost its .git file would be taken for part of the worktree around it.
  if (realpathSync(dirname(gitDir)) !== join(realpathSync(commonDir), "worktrees")) return [`${path} is no worktree of its own any more.`];
  const running = Object.entries(OPERATIONS).find(([file]) => existsSync(join(gitDir, file)));
  if (running) return [`The worktree ${path} is in the middle of ${running[1]}.`];
  if (existsSync(join(gitDir, "index.lock"))) return [`Another git process works in ${path} (${join(gitDir, "index.lock")} is there).`];
  if (existsSync(join(gitDir, "modules")) || (await holdsOtherRepositories(path))) return [`The worktree ${path} has submodules.`];
  const own = (await mustGit("read a worktree's refs", path, { args: ["for-each-ref", "--format=%(refname)", "refs/worktree/"] })).trim();
  if (own !== "") return [`The worktree ${path} has refs of its own (${own.split("\n").join(", ")}).`];
  const conflicts = await mustGit("read the index", path, { args: ["ls-files", "--unmerged", "-z"] });
  return conflicts === "" ? [] : [`The worktree ${path} has unresolved conflicts.`];
}

/** Whether the index (or the one that `env` names) has an entry for another repository. */
export async function holdsOtherRepositories(worktree: string, env: NodeJS.ProcessEnv = {}): Promise<boolean> {
  const entries = await mustGit("read the index", worktree, { args: ["ls-files", "--stage", "-z"], env });
  return entries.split("\0").some((entry) => entry.startsWith("160000 "));
}

async function comesBackTo(worktree: string, branch: string): Promise<boolean> {
  const gitDir = await gitDirOf(worktree);
  const files = ["rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START"].map((name) => join(gitDir, name));
  const names = await Promise.all(files.map(textOf));
  return names.some((name) => name === refOf(branch) || name === branch);
}

async function textOf(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "";
    throw error;
  }
}
