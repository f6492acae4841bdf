// Commits what a worktree holds uncommitted onto its branch: by plumbing and with an index of its own, so that no hook,
// no signing and no missing identity is in the way, and the worktree's own index stays as it is.
import { existsSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { failpoint } from "./failpoint.ts";
import { gitDirOf, holdsOtherRepositories, refOf } from "./git-branch.ts";
import { mustGit, runGit } from "./git.ts";

/** No hook runs, and what git says is done is on disk. */
export const CAREFULLY = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsync=all"];

export interface Rescue {
  branch: string;
  /** The branch's tip. */
  tip: string;
  /** Named in the commits: so they are known again. */
  gateId: string;
  /** The commits' time, so that a repeated one is the same one. */
  at: string;
}

interface Bench {
  worktree: string;
  env: NodeJS.ProcessEnv;
}

/** The branch's tip afterwards, or why nothing was committed. Repeating it commits nothing twice. */
export async function rescueWork(worktree: string, rescue: Rescue): Promise<{ tip: string } | { obstacle: string }> {
  const gitDir = await gitDirOf(worktree);
  const folder = await mkdtemp(join(gitDir, "envoy-"));
  try {
    const bench = { worktree, env: { GIT_INDEX_FILE: join(folder, "index"), ...(await identity(worktree, rescue.at)) } };
    if (existsSync(join(gitDir, "index"))) await copyFile(join(gitDir, "index"), bench.env.GIT_INDEX_FILE);
    else await call(bench, ["read-tree", rescue.tip]);
    const staged = await writeTree(bench);
    await showHidden(bench);
    await call(bench, ["-c", "core.safecrlf=false", "-c", "core.fsmonitor=false", "add", "--all", "--", "."]);
    if (await holdsOtherRepositories(worktree, bench.env)) return { obstacle: `The worktree ${worktree} has another repository inside.` };
    return { tip: await commitBoth(bench, rescue, { staged, found: await writeTree(bench) }) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A staged version that differs from both the last commit and the file gets a commit of its own, or it would be lost. */
async function commitBoth(bench: Bench, rescue: Rescue, trees: { staged: string; found: string }): Promise<string> {
  const last = (await call(bench, ["rev-parse", "--verify", `${rescue.tip}^{tree}`])).trim();
  const rescued = trailerOf(rescue);
  if (trees.found === last && (trees.staged === last || (await call(bench, ["cat-file", "commit", rescue.tip])).includes(rescued)))
    return rescue.tip;
  failpoint("rescue.commit");
  let tip = rescue.tip;
  const add = async (tree: string, what: string): Promise<void> => {
    const message = `${what} of ${rescue.branch}, kept when it was rejected\n\n${rescued}\n`;
    tip = (await call(bench, ["commit-tree", "--no-gpg-sign", "-p", tip, "-m", message, tree])).trim();
  };
  if (trees.staged !== last && trees.staged !== trees.found) await add(trees.staged, "Staged work");
  await add(trees.found, "Uncommitted work");
  failpoint("rescue.update");
  await call(bench, ["update-ref", "-m", `envoy: ${rescued}`, refOf(rescue.branch), tip, rescue.tip]);
  return tip;
}

/** Of files that git was told not to look at, those that are there are work like any other. */
async function showHidden(bench: Bench): Promise<void> {
  const listed = (await call(bench, ["ls-files", "-v", "-z"])).split("\0");
  const hidden = listed.filter((entry) => /^[a-zS] /.test(entry)).map((entry) => entry.slice(2));
  for (const name of hidden.filter((each) => existsSync(join(bench.worktree, each))))
    for (const bit of ["--no-assume-unchanged", "--no-skip-worktree"]) await call(bench, ["update-index", bit, "--", name]);
}

const trailerOf = ({ gateId }: Rescue): string => `Envoy-Gate: ${gateId}`;

async function writeTree(bench: Bench): Promise<string> {
  return (await call(bench, ["write-tree"])).trim();
}

function call({ worktree, env }: Bench, args: string[]): Promise<string> {
  return mustGit(`keep the uncommitted work of ${worktree}`, worktree, { args: [...CAREFULLY, ...args], env });
}

async function identity(worktree: string, at: string): Promise<NodeJS.ProcessEnv> {
  const read = async (key: string): Promise<string> => (await runGit(worktree, ["config", "--get", key])).stdout.trim();
  const [name, email] = [(await read("user.name")) || "envoy", (await read("user.email")) || "envoy@localhost"];
  const author = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: at };
  return { ...author, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email, GIT_COMMITTER_DATE: at };
}
