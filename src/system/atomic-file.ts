// Whole files or nothing, on disk before the promise resolves; see docs/decisions/0005-atomic-writes.md.

import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { link, mkdir, open, readdir, rename, unlink, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";

import { EnvoyError } from "../../schemas/errors.ts";
import { failpoint } from "./failpoint.ts";
import {
  checkFile,
  checkFolder,
  checkFolders,
  errorCode,
  foldersBetween,
  ioFailed,
  isTemporaryName,
  lstatIfThere,
  refuseUnlessPlain,
  resolveInside,
} from "./safe-path.ts";
import { syncFolder } from "./sync-folder.ts";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

export interface WriteOptions {
  /** Of the new file, less the umask. */
  mode?: number;
  /** Leaves a file that is there as it is. */
  ifAbsent?: boolean;
}

/** Replaces or makes the file. False only with `ifAbsent`: the name is taken and nothing was written. */
export async function writeFileAtomic(path: string, data: string | Buffer, options: WriteOptions = {}): Promise<boolean> {
  const existing = await checkFile(path);
  if (existing && options.ifAbsent) return false;
  return throughTemporary(path, async (temporary) => {
    failpoint("write.open");
    const handle = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, options.mode ?? 0o600);
    await writeAndSync(handle, data);
    return options.ifAbsent ? await putIfAbsent(temporary, path) : await putInPlace(temporary, path);
  });
}

/** The bytes of the plain file `path` below `root`; undefined if it or a folder on the way is not there. */
export async function readFileSafe(root: string, path: string, limits: { maxBytes: number }): Promise<Buffer | undefined> {
  const target = resolveInside(root, path);
  if (!(await checkFolders(root, target)) || !(await checkFile(target))) return undefined;
  try {
    const handle = await open(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      await refuseUnlessPlain(target, await handle.stat(), () => handle.stat());
      return await readAtMost(handle, target, limits.maxBytes);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    if (errorCode(error) === "ELOOP") throw new EnvoyError("unsafe_path", { path: target, kind: "a symbolic link" });
    throw ioFailed(error, target, "read");
  }
}

/** Makes the folder `path` below `root` and those on the way, private to the user. */
export async function makeFolder(root: string, path: string): Promise<void> {
  const target = resolveInside(root, path);
  for (const folder of [...foldersBetween(root, target), target]) {
    if (await checkFolder(folder)) continue;
    try {
      failpoint("folder.make");
      await mkdir(folder, { mode: 0o700 });
      failpoint("folder.sync");
      await syncFolder(dirname(folder));
    } catch (error) {
      // Made by another process meanwhile, if it is a folder.
      if (errorCode(error) !== "EEXIST" || !(await checkFolder(folder))) throw ioFailed(error, folder, "make the folder");
    }
  }
}

/** Whether there was a file to remove. */
export async function removeFile(path: string): Promise<boolean> {
  if (!(await checkFile(path))) return false;
  try {
    failpoint("remove.unlink");
    await unlink(path);
    failpoint("remove.sync-folder");
    await syncFolder(dirname(path));
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw ioFailed(error, path, "remove");
  }
}

/**
 * Gives the file a new name on the same disk. False: another file has that name, and nothing was changed. A move that
 * was killed half-way leaves both names and is finished by moving again.
 */
export async function moveFile(from: string, to: string): Promise<boolean> {
  try {
    const names = await countSharedNames(from, to);
    // The same file by the same name, however it is spelled.
    if (names === 1) return true;
    if (names === 0) {
      await checkFile(from);
      failpoint("move.link");
      if (!(await linkIfAbsent(from, to))) return false;
    }
    failpoint("move.sync-target");
    await syncFolder(dirname(to));
    failpoint("move.unlink");
    await unlink(from);
    failpoint("move.sync-source");
    await syncFolder(dirname(from));
    return true;
  } catch (error) {
    throw ioFailed(error, from, `move to ${to} the file`);
  }
}

/** Removes what killed writers left in the folder. Callers hold the lock under which all writes there are made. */
export async function removeLeftovers(folder: string): Promise<void> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    for (const { name } of entries.filter((entry) => !entry.isDirectory() && isTemporaryName(entry.name)))
      await unlinkIfThere(join(folder, name));
  } catch (error) {
    throw ioFailed(error, folder, "remove temporary files from");
  }
}

async function throughTemporary(path: string, write: (temporary: string) => Promise<boolean>): Promise<boolean> {
  const temporary = join(dirname(path), `.envoy-${randomBytes(12).toString("hex")}.tmp`);
  try {
    return await write(temporary);
  } catch (error) {
    // A taken name is not ours to remove.
    if (errorCode(error) !== "EEXIST") await unlinkIfThere(temporary).catch(() => undefined);
    throw ioFailed(error, path, "write");
  }
}

async function writeAndSync(handle: FileHandle, data: string | Buffer): Promise<void> {
  try {
    failpoint("write.data");
    await handle.writeFile(data);
    failpoint("write.sync");
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function putInPlace(temporary: string, path: string): Promise<true> {
  failpoint("write.rename");
  await rename(temporary, path);
  failpoint("write.sync-folder");
  await syncFolder(dirname(path));
  failpoint("write.done");
  return true;
}

async function putIfAbsent(temporary: string, path: string): Promise<boolean> {
  failpoint("write.link");
  const made = await linkIfAbsent(temporary, path);
  failpoint("write.unlink");
  await unlink(temporary);
  failpoint("write.sync-folder");
  await syncFolder(dirname(path));
  failpoint("write.done");
  return made;
}

async function linkIfAbsent(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** How many names the file at `from` has if it is also the one at `to`, otherwise 0. */
async function countSharedNames(from: string, to: string): Promise<number> {
  const [source, target] = await Promise.all([lstatIfThere(from), lstatIfThere(to)]);
  return source && source.isFile() && source.ino === target?.ino && source.dev === target.dev ? source.nlink : 0;
}

async function unlinkIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

async function readAtMost(handle: FileHandle, path: string, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let total = 0; ;) {
    const { bytesRead, buffer } = await handle.read({ buffer: Buffer.allocUnsafe(64 * 1024) });
    if (bytesRead === 0) return Buffer.concat(chunks);
    total += bytesRead;
    if (total > maxBytes)
      throw new EnvoyError("invalid_file", { file: path, issues: [{ file: path, message: `it is larger than ${maxBytes} bytes` }] });
    chunks.push(buffer.subarray(0, bytesRead));
  }
}
