// Keeps envoy on plain files and folders below a root: no links, devices, pipes or ways out.

import type { Dirent, Stats } from "node:fs";
import { lstat, readdir, unlink } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

import { EnvoyError } from "../../schemas/errors.ts";

/** The absolute path of `path` (taken from `root`), which must lie below `root`. */
export function resolveInside(root: string, path: string): string {
  if (path.includes("\0")) throw new EnvoyError("unsafe_path", { path, kind: "a name with a NUL character" });
  const target = resolve(root, path);
  const below = relative(resolve(root), target);
  if (below === "" || below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below))
    throw new EnvoyError("unsafe_path", { path: target, kind: `not inside ${resolve(root)}` });
  return target;
}

export const isInside = (folder: string, path: string): boolean => path === folder || path.startsWith(folder + sep);

/** The folders between `root` (left out, it may be a link) and the file or folder at `target`, outermost first. */
export function foldersBetween(root: string, target: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(target); relative(resolve(root), folder) !== ""; folder = dirname(folder)) folders.unshift(folder);
  return folders;
}

/** Whether all folders down to `target` are there. Anything but a folder among them is refused. */
export async function checkFolders(root: string, target: string): Promise<boolean> {
  for (const folder of foldersBetween(root, target)) if (!(await checkFolder(folder))) return false;
  return true;
}

/** Whether there is a folder at `path`. Anything else there is refused. */
export async function checkFolder(path: string): Promise<boolean> {
  const stats = await lstatIfThere(path);
  if (stats && !stats.isDirectory()) throw new EnvoyError("unsafe_path", { path, kind: kindOf(stats) });
  return stats !== undefined;
}

/** What lies in the folder `path` below `root`; nothing where there is none. Anything but real folders on the way is refused. */
export async function listFolder(root: string, path: string): Promise<Dirent[]> {
  const target = resolveInside(root, path);
  if (!(await checkFolders(root, target)) || !(await checkFolder(target))) return [];
  try {
    return await readdir(target, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw ioFailed(error, target, "list");
  }
}

/** The lstat of the plain file at `path`, undefined if nothing is there. Anything else is refused. */
export async function checkFile(path: string): Promise<Stats | undefined> {
  const stats = await lstatIfThere(path);
  if (stats) await refuseUnlessPlain(path, stats, () => lstat(path));
  return stats;
}

/** Refuses what is not a regular file with this one name. `again` takes the stats once more. */
export async function refuseUnlessPlain(path: string, stats: Stats, again: () => Promise<Stats>): Promise<void> {
  if (!stats.isFile()) throw new EnvoyError("unsafe_path", { path, kind: kindOf(stats) });
  for (let seen = stats; seen.nlink > 1;) {
    // Making a name only if absent gives a file a second name for a moment, or for good if the maker is killed.
    if (seen.nlink - (await countTemporaryNames(path, seen)) <= 1) return;
    const current = await again();
    if (current.nlink >= seen.nlink) throw new EnvoyError("unsafe_path", { path, kind: "a hard link to a file with another name" });
    seen = current;
  }
}

const TEMPORARY = /^\.envoy-[0-9a-f]{24}\.tmp$/;

export function isTemporaryName(name: string): boolean {
  return TEMPORARY.test(name);
}

const countTemporaryNames = async (path: string, file: Stats): Promise<number> => (await temporaryNames(path, file)).length;

async function temporaryNames(path: string, file: Stats): Promise<string[]> {
  const folder = dirname(path);
  const paths = (await readdir(folder)).filter(isTemporaryName).map((name) => join(folder, name));
  const found = await Promise.all(paths.map(async (each) => ({ each, stats: await lstatIfThere(each) })));
  return found.filter(({ stats }) => stats?.ino === file.ino && stats.dev === file.dev).map(({ each }) => each);
}

/** Before a file leaves its folder: the names that a killed writer left on it beside its own would stay behind. */
export async function dropTemporaryNames(path: string): Promise<void> {
  const stats = await lstatIfThere(path);
  if (!stats || stats.nlink < 2) return;
  for (const name of await temporaryNames(path, stats)) await unlink(name);
}

export async function lstatIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw ioFailed(error, path, "look at");
  }
}

function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return "a symbolic link";
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a pipe";
  if (stats.isSocket()) return "a socket";
  return stats.isFile() ? "a file" : "a device";
}

export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** What the operating system refused, as a typed error; everything else is handed back as it is. */
export function ioFailed(error: unknown, path: string, action: string): unknown {
  const code = errorCode(error);
  if (code === undefined || error instanceof EnvoyError) return error;
  return Object.assign(new EnvoyError("io_failed", { path, code, action }), { cause: error });
}
