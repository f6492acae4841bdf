// Where a command runs, as git sees it. What changes history is in git-history.ts and git-discard.ts.
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { EnvoyError } from "../../schemas/errors.ts";
import { readRepositoryFiles } from "./git-files.ts";

export interface Repository {
  commonDir: string;
  /** Root of the main worktree; of a bare repository, the folder it lies in. */
  mainRoot: string;
  bare: boolean;
  /** Undefined on a detached HEAD; a name also before the first commit. */
  branch?: string;
}

interface Finished {
  code: number | string;
  stdout: string;
  stderr: string;
}

/** Variables that would point git at another repository than the one a command runs in (a git hook sets them). */
const FOREIGN = [
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_COMMON_DIR",
  "GIT_OBJECT_DIRECTORY",
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_PREFIX",
  "GIT_NAMESPACE",
  "GIT_CEILING_DIRECTORIES",
  "GIT_GRAFT_FILE",
  "GIT_SHALLOW_FILE",
  "GIT_QUARANTINE_PATH",
];

export function gitEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...process.env, LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
  for (const name of FOREIGN) delete environment[name];
  return environment;
}

/** Undefined outside git. */
export async function readRepository(cwd: string): Promise<Repository | undefined> {
  return readRepositoryFiles(cwd, FOREIGN) ?? (await askGit(cwd));
}

export async function askGit(cwd: string): Promise<Repository | undefined> {
  const [places, head] = await Promise.all([
    runGit(cwd, ["rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir", "--is-bare-repository", "--show-toplevel"]),
    runGit(cwd, ["symbolic-ref", "--quiet", "HEAD"]),
  ]);
  // Without a worktree (bare, or inside .git) only the last question fails, after the others were answered.
  const [gitDir, commonDir, bare, toplevel] = places.stdout.replace(/\n$/, "").split("\n");
  if (gitDir === undefined || commonDir === undefined || bare === undefined) return outsideOrBroken(cwd, places);
  const branch = head.code === 0 ? head.stdout.trim().replace(/^refs\/heads\//, "") : undefined;
  if (head.code !== 0 && head.code !== 1) throw gitFailed("read HEAD", reasonOf(head));
  const linked = gitDir !== commonDir;
  const isBare = linked ? await isBareRepository(commonDir) : bare === "true";
  const mainRoot = isBare ? dirname(commonDir) : linked || toplevel === undefined ? await mainWorktree(commonDir) : toplevel;
  return { commonDir, mainRoot, bare: isBare, ...(branch === undefined ? {} : { branch }) };
}

async function isBareRepository(commonDir: string): Promise<boolean> {
  const { stdout } = await runGit(commonDir, ["config", "--file", join(commonDir, "config"), "--type=bool", "core.bare"]);
  return stdout.trim() === "true";
}

/** Seen from a linked worktree. A submodule's own configuration names its root. */
async function mainWorktree(commonDir: string): Promise<string> {
  const configured = await runGit(commonDir, ["config", "--file", join(commonDir, "config"), "core.worktree"]);
  if (configured.code === 0) return resolve(commonDir, configured.stdout.replace(/\n$/, ""));
  if (basename(commonDir) === ".git") return dirname(commonDir);
  throw new EnvoyError("git_failed", {
    action: "find the main worktree",
    reason: `${commonDir} does not say where its main worktree is.`,
    suggestion: "Set ENVOY_DIR to an absolute path.",
  });
}

/** A git that fails although there is a `.git` must not be taken for "no git here". */
function outsideOrBroken(cwd: string, result: Finished): undefined {
  const dubious = /dubious ownership in repository at '(.*)'/.exec(result.stderr);
  if (dubious) throw new EnvoyError("dubious_ownership", { directory: dubious[1]! });
  if (dotGitAbove(cwd)) throw gitFailed("read the repository", reasonOf(result));
  return undefined;
}

function dotGitAbove(directory: string): boolean {
  for (let at = resolve(directory); ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return true;
    if (dirname(at) === at) return false;
  }
}

export function gitFailed(action: string, reason: string): EnvoyError {
  if (!reason.includes("ENOENT")) return new EnvoyError("git_failed", { action, reason });
  return new EnvoyError("git_failed", {
    action,
    reason: "the program git was not found.",
    suggestion: "Install git, or add it to PATH.",
  });
}

const reasonOf = ({ code, stderr }: Finished) => stderr.trim().split("\n").at(-1) || `${code}`;

/** The output of a git that must succeed. */
export async function mustGit(action: string, cwd: string, call: { args: string[]; env?: NodeJS.ProcessEnv }): Promise<string> {
  const finished = await runGit(cwd, call.args, call.env);
  if (finished.code !== 0) throw gitFailed(action, reasonOf(finished));
  return finished.stdout;
}

export async function runGit(cwd: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
  const { execFile } = await import("node:child_process");
  return new Promise((done) => {
    execFile("git", args, { cwd, env: { ...gitEnvironment(), ...env }, maxBuffer: 256 * 1024 * 1024 }, (error, stdout, stderr) =>
      done({ code: error ? (error.code ?? "unknown") : 0, stdout, stderr }),
    );
  });
}
