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

/** Ignored files do not count. Undefined outside a working folder of git. */
export async function workTreeId(directory: string): Promise<string | undefined> {
  const places = await git(directory, [
    "rev-parse",
    "--path-format=absolute",
    "--show-toplevel",
    "--git-path",
    "index",
    "--git-path",
    "objects",
  ]).catch(outsideGit);
  const [root, index, objects] = places?.trimEnd().split("\n") ?? [];
  if (root === undefined || index === undefined || objects === undefined) return undefined;
  const own = await mkdtemp(join(tmpdir(), "envoy-tree-"));
  try {
    await copyIndex(index, join(own, "index")).catch(noIndexYet);
    const env = { GIT_INDEX_FILE: join(own, "index"), GIT_OBJECT_DIRECTORY: own, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
    await git(root, ["-c", "core.fsync=none", "add", "-A"], env);
    return (await git(root, ["write-tree"], env)).trim();
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new EnvoyError("git_failed", { action: "read the working folder", reason: stderr?.trim().split("\n").at(-1) || message });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

async function git(cwd: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { stdout } = await promisify(execFile)("git", args, { cwd, env: { ...gitEnvironment(), ...env }, maxBuffer: 16 * 1024 * 1024 });
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
