// What a branch has changed since it left the main line, with everything in the working folder, committed or not.
import { mustGit, runGit } from "./git.ts";
import { withWorkTree, type WorkTree } from "./work-tree.ts";

export interface Change {
  root: string;
  /** Of the working folder, as `workTreeId` names it. */
  tree: string;
  diff: string;
  /** Paths from the root, the removed ones too. */
  files: string[];
  /** Files with their counts of lines, for people. */
  summary: string;
  /** Shows the change to an agent. */
  command: string;
}

const PLAIN = ["--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"];

/** `since` names the branch that the work left; the main line where it is not given. Undefined outside a working folder of git. */
export function readChange(directory: string, { since }: { since?: string } = {}): Promise<Change | undefined> {
  return withWorkTree(directory, async (tree) => {
    const base = since === undefined ? await baseOf(tree) : (await tree.git(["merge-base", since, "HEAD"])).trim();
    const between = [base, tree.id, "--"];
    const [diff, names, summary] = await Promise.all([
      tree.git(["diff", ...PLAIN, ...between]),
      tree.git(["diff", ...PLAIN, "--name-only", "-z", ...between]),
      tree.git(["diff", ...PLAIN, "--stat=100", ...between]),
    ]);
    const files = names.split("\0").filter(Boolean);
    return {
      root: tree.root,
      tree: tree.id,
      diff,
      files,
      summary: summary.trimEnd(),
      command: `git add -AN && git diff ${base.slice(0, 12)}`,
    };
  });
}

/** What a branch has that is checked out nowhere: its commits since it left the other. */
export const committedDiff = (directory: string, { branch, since }: { branch: string; since: string }): Promise<string> =>
  mustGit("read the branch", directory, { args: ["diff", ...PLAIN, `refs/heads/${since}...refs/heads/${branch}`, "--"] });

/** Undefined before the first commit. */
export async function headCommit(directory: string): Promise<string | undefined> {
  const { stdout } = await runGit(directory, ["rev-parse", "--revs-only", "HEAD"]);
  return stdout.trim() || undefined;
}

const MAIN_LINES = [
  "refs/remotes/origin/HEAD",
  "refs/remotes/origin/main",
  "refs/remotes/origin/master",
  "refs/heads/main",
  "refs/heads/master",
  "refs/heads/trunk",
];

/** Where the branch left the main line; on the main line itself, its last commit; before the first commit, nothing. */
async function baseOf({ git }: WorkTree): Promise<string> {
  const head = await git(["rev-parse", "--revs-only", "HEAD"]);
  if (head.trim() === "") return (await git(["hash-object", "-t", "tree", "/dev/null"])).trim();
  const known = (await git(["for-each-ref", "--format=%(refname)", ...MAIN_LINES])).split("\n");
  const main = MAIN_LINES.find((ref) => known.includes(ref)) ?? "HEAD";
  return (await git(["merge-base", main, "HEAD"])).trim();
}
