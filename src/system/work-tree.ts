// One name for everything in a working folder: the id of the tree that `git add -A` would make. Found with an index
// and an object store of its own, so that neither the user's index nor the repository changes.
import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { EnvoyError } from "../../schemas/errors.ts";
import { gitEnvironment } from "./git.ts";
import { errorCode } from "./safe-path.ts";

/** A larger diff is no work for a reviewer. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface WorkTree {
  id: string;
  root: string;
  /** Runs git where the tree's objects can be seen. */
  git: (args: string[]) => Promise<string>;
}

/** Ignored files do not count. Undefined outside a working folder of git. */
export const workTreeId = (directory: string): Promise<string | undefined> => withWorkTree(directory, ({ id }) => Promise.resolve(id));

/** The tree is there while `use` runs. */
export async function withWorkTree<T>(directory: string, use: (tree: WorkTree) => Promise<T>): Promise<T | undefined> {
  const wanted = ["rev-parse", "--path-format=absolute", "--show-toplevel", "--git-path", "index", "--git-path", "objects"];
  const places = await git(directory, wanted).catch(outsideGit);
  const [root, index, objects] = places?.trimEnd().split("\n") ?? [];
  if (root === undefined || index === undefined || objects === undefined) return undefined;
  const own = await mkdtemp(join(tmpdir(), "envoy-tree-"));
  try {
    await copyIndex(index, join(own, "index")).catch(noIndexYet);
    const env = { GIT_INDEX_FILE: join(own, "index"), GIT_OBJECT_DIRECTORY: own, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
    const inside = (args: string[]) => git(root, args, env).catch(gitFailed);
    await inside(["-c", "core.fsync=none", "add", "-A"]);
    const id = (await inside(["write-tree"])).trim();
    return await use({ id, root, git: inside });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

function gitFailed(error: { stderr?: string; message: string }): never {
  throw new EnvoyError("git_failed", {
    action: "read the working folder",
    reason: error.stderr?.trim().split("\n").at(-1) || error.message,
  });
}

async function git(cwd: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { stdout } = await promisify(execFile)("git", args, { cwd, env: { ...gitEnvironment(), ...env }, maxBuffer: MOST_BYTES });
  return stdout;
}

/** With the user's index as a start only changed files are read; by its time git knows which it cannot trust. */
async function copyIndex(from: string, to: string): Promise<void> {
  const { atime, mtime } = await stat(from);
  await copyFile(from, to);
  await utimes(to, atime, mtime);
}

/** git says 128 where there is no repository, or one without a working folder. */
function outsideGit(error: { code?: unknown }): undefined {
  if (error.code !== 128) throw error;
}

function noIndexYet(error: unknown): void {
  if (errorCode(error) !== "ENOENT") throw error;
}
