// One holder at a time among the processes of one machine; see docs/decisions/0006-lock.md. A lock is a file that
// appears whole or not at all (`link`) and says who holds it. Only the lock of a process that is surely dead is taken
// away. Hold it for milliseconds, and never while waiting for a person.

import { randomBytes } from "node:crypto";
import { constants, watch, type FSWatcher, type Stats } from "node:fs";
import { link, open, readdir, unlink } from "node:fs/promises";
import { uptime } from "node:os";
import { basename, dirname, join } from "node:path";

import { EnvoyError } from "../../schemas/errors.ts";
import { failpoint } from "./failpoint.ts";
import { describeHolder, identifySelf, isDead, parseHolder, type Holder } from "./lock-holder.ts";
import { errorCode, ioFailed } from "./safe-path.ts";

const DEFAULT_PATIENCE_MS = 10_000;
// File events wake a waiter; this look in between serves file systems that give none, and holders that died.
const LOOK_EVERY_MS = 100;

export interface HeldLock {
  /** Throws if the lock was taken away, say by a person who removed the file. Call it before each write. */
  assertHeld(): Promise<void>;
}

/** Runs `work` while this process alone holds the lock file at `path`, whose folder must exist. */
export async function withLock<T>(path: string, work: (lock: HeldLock) => Promise<T>, options: { patienceMs?: number } = {}): Promise<T> {
  const nonce = await acquire(path, performance.now() + (options.patienceMs ?? DEFAULT_PATIENCE_MS));
  let result: T;
  try {
    failpoint("lock.work");
    result = await work({ assertHeld: () => assertHeld(path, nonce) });
  } catch (error) {
    // The reason why the work failed matters more than a failing release.
    await release(path, nonce).catch(() => undefined);
    throw error;
  }
  await release(path, nonce);
  return result;
}

async function acquire(path: string, giveUpAt: number): Promise<string> {
  const first = await tryAcquire(path, giveUpAt);
  if (first) return first;
  const changes = watchForChanges(path);
  try {
    for (;;) {
      const nonce = await tryAcquire(path, giveUpAt);
      if (nonce) return nonce;
      const left = giveUpAt - performance.now();
      if (left <= 0) throw await lockHeld(path);
      await changes.next(Math.min(left, LOOK_EVERY_MS * (0.5 + Math.random())));
    }
  } finally {
    changes.close();
  }
}

async function tryAcquire(path: string, giveUpAt: number): Promise<string | undefined> {
  const found = await readLock(path);
  if (found) {
    if (!(await isStale(found))) return undefined;
    await removeStale(path, giveUpAt);
  }
  return create(path);
}

/** The nonce of the new lock; undefined if another process was faster. */
async function create(path: string): Promise<string | undefined> {
  const nonce = randomBytes(16).toString("hex");
  const prepared = preparedPath(path, nonce);
  try {
    failpoint("lock.prepare");
    const handle = await open(prepared, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      failpoint("lock.fill");
      await handle.writeFile(JSON.stringify(await identifySelf(nonce)));
    } finally {
      await handle.close();
    }
    failpoint("lock.link");
    await link(prepared, path);
  } catch (error) {
    await unlinkIfThere(prepared).catch(() => undefined);
    if (errorCode(error) === "EEXIST") return undefined;
    throw ioFailed(error, path, "lock");
  }
  try {
    failpoint("lock.tidy");
    await unlinkIfThere(prepared);
    return nonce;
  } catch (error) {
    await release(path, nonce).catch(() => undefined);
    await unlinkIfThere(prepared).catch(() => undefined);
    throw ioFailed(error, path, "lock");
  }
}

/**
 * Removes the lock if its holder is dead. Whoever does so holds a second lock meanwhile, so that of two processes that
 * saw the same dead holder the slower one cannot remove the lock that the faster one has made since.
 */
async function removeStale(path: string, giveUpAt: number): Promise<void> {
  const claim = `${path}.steal`;
  failpoint("lock.claim");
  const nonce = await acquire(claim, giveUpAt);
  try {
    const found = await readLock(path);
    if (found && (await isStale(found))) {
      await removePrepared(path);
      failpoint("lock.steal");
      await unlinkIfThere(path);
    }
  } catch (error) {
    throw ioFailed(error, path, "remove the stale lock");
  } finally {
    await release(claim, nonce);
  }
}

/** Removes what processes left that were killed while they prepared this lock. */
async function removePrepared(path: string): Promise<void> {
  for (const name of await readdir(dirname(path))) {
    const nonce = name.startsWith(`${basename(path)}.`) ? /\.([0-9a-f]{32})\.tmp$/.exec(name)?.[1] : undefined;
    if (nonce === undefined || name !== basename(preparedPath(path, nonce))) continue;
    const prepared = join(dirname(path), name);
    const found = await readLock(prepared);
    if (found?.holder && (await isDead(found.holder))) await unlinkIfThere(prepared);
  }
}

function preparedPath(path: string, nonce: string): string {
  return `${path}.${nonce}.tmp`;
}

async function assertHeld(path: string, nonce: string): Promise<void> {
  if ((await readLock(path))?.holder?.nonce !== nonce) throw await lockHeld(path);
}

async function release(path: string, nonce: string): Promise<void> {
  if ((await readLock(path))?.holder?.nonce !== nonce) return;
  try {
    failpoint("lock.release");
    await unlinkIfThere(path);
    failpoint("lock.released");
  } catch (error) {
    throw ioFailed(error, path, "release");
  }
}

interface FoundLock {
  /** Undefined: the content is not one that envoy writes. */
  holder: Holder | undefined;
  stats: Stats;
}

async function readLock(path: string): Promise<FoundLock | undefined> {
  try {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw new EnvoyError("unsafe_path", { path, kind: "not a plain file" });
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(4096) });
      return { holder: parseHolder(buffer.toString("utf8", 0, bytesRead)), stats };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    if (errorCode(error) === "ELOOP") throw new EnvoyError("unsafe_path", { path, kind: "a symbolic link" });
    throw ioFailed(error, path, "read the lock");
  }
}

// The content is written before the lock gets its name, so a live holder's lock is always readable. One that is not
// comes from a power loss if it is older than this boot; otherwise nobody knows, and it is left alone.
async function isStale(found: FoundLock): Promise<boolean> {
  if (found.holder) return isDead(found.holder);
  return found.stats.ctimeMs < Date.now() - uptime() * 1000;
}

async function lockHeld(path: string): Promise<EnvoyError> {
  const found = await readLock(path);
  const holder = found?.holder
    ? await describeHolder(found.holder)
    : found
      ? "an unknown process (the lock is unreadable)"
      : "nobody any more; it was removed or just given up";
  return new EnvoyError("lock_held", { file: path, holder });
}

async function unlinkIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

/** Wakes a waiter when the lock file comes or goes. A change between two waits is not lost. */
function watchForChanges(path: string): { next(longestMs: number): Promise<void>; close(): void } {
  let changed = false;
  let wake = (): void => undefined;
  const watcher = watchIfPossible(dirname(path));
  watcher?.on("change", (_event, name) => {
    if (name !== null && name !== basename(path)) return;
    changed = true;
    wake();
  });
  watcher?.on("error", () => watcher.close());
  return {
    next: (longestMs) =>
      new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          changed = false;
          resolve();
        };
        const timer = setTimeout(done, longestMs);
        wake = done;
        if (changed) done();
      }),
    close: () => watcher?.close(),
  };
}

// Without a watcher (limits used up, no support) the waiter still looks at intervals.
function watchIfPossible(folder: string): FSWatcher | undefined {
  try {
    return watch(folder);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}
