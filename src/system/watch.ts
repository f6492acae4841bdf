// chokidar, and what backs it up: says "look again" and nothing else. Loaded only by what waits for a person.
//
// Events wake the caller; they are never the truth. Containing folders are watched, not files, since a save by rename
// gives a file a new inode. chokidar is asked for its raw events: the others are held back for up to 50 ms after one
// before, and the last of three quick saves would be among them. What events miss (an overflow, used-up limits, a file
// system without any, a folder that was removed and made again) is found by comparing metadata every few seconds.
import { lstatSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { type FSWatcher, watch } from "chokidar";
import { failpoint } from "./failpoint.ts";
import { errorCode } from "./safe-path.ts";

export type LookReason = "armed" | "event" | "safety" | "trouble";

export interface WatchOptions {
  /** How often metadata is compared. */
  everyMs?: number;
  /** Told once, in a sentence for a person, if there are no events. */
  note?: (line: string) => void;
}

export interface Watch {
  close(): Promise<void>;
}

interface Folder {
  path: string;
  names: Set<string>;
  /** Every entry counts, not only the names. */
  everything?: boolean;
  watcher?: FSWatcher | undefined;
  /** Of the folder that is watched; undefined while none is. */
  identity?: string | undefined;
  arming?: Promise<void> | undefined;
  /** After trouble, when to try again; a limit may be free by then. */
  retryAt: number;
}

interface Heard {
  event: () => void;
  lost: () => void;
  trouble: (error: unknown) => void;
}

const EVERY_MS = 4000;
const RETRY_MS = 60_000;

/**
 * Calls `look` once armed, then whenever one of the paths may have changed, never twice at a time and never before this
 * returns to the event loop. The paths need not exist, nor their folders. A path that ends
 * in `/` is a folder, of which every entry counts. Resolves once armed, or once it is clear that there are no events.
 */
export async function watchPaths(paths: string[], look: (reason: LookReason) => void, options: WatchOptions = {}): Promise<Watch> {
  const { everyMs = EVERY_MS, note } = options;
  const files = paths.map((path) => resolve(path) + (path.endsWith("/") ? "/" : ""));
  const folders = foldersOf(files);
  let seen = metadataOf(files);
  let soon: NodeJS.Immediate | undefined;
  let noted = false;
  let closed = false;

  const lookSoon = (reason: LookReason): void => {
    if (closed) return;
    soon ??= setImmediate(() => {
      soon = undefined;
      // Before the caller reads: what changes while it reads is a change.
      seen = metadataOf(files);
      look(reason);
    });
  };
  const heard: Heard = {
    event: () => lookSoon("event"),
    lost: () => void armAll(),
    trouble: (error) => {
      if (!noted && !closed)
        note?.(
          `There are no file events here (${errorCode(error) ?? (error as Error).message}); looking every ${everyMs / 1000} s instead.`,
        );
      noted = true;
      lookSoon("trouble");
    },
  };
  const armAll = async (): Promise<void> => {
    const due = folders.filter((folder) => !closed && isDue(folder));
    await Promise.all(due.map((folder) => (folder.arming = arm(folder, heard, everyMs))));
    // Between the last look and the first event anything may have been saved.
    if (due.some((folder) => folder.watcher)) lookSoon("armed");
  };

  const timer = setInterval(() => {
    void armAll();
    if (metadataOf(files) !== seen) lookSoon("safety");
  }, everyMs);
  await armAll();
  lookSoon("armed");
  return {
    async close() {
      closed = true;
      clearInterval(timer);
      clearImmediate(soon);
      // A watcher that is closed while it arms may leave a handle behind.
      for (const folder of folders) await folder.arming;
      await Promise.all(folders.map(disarm));
    },
  };
}

function foldersOf(files: string[]): Folder[] {
  const folders = new Map<string, Folder>();
  for (const file of files) {
    const whole = file.endsWith("/");
    const path = whole ? resolve(file) : dirname(file);
    const folder = folders.get(path) ?? { path, names: new Set(), retryAt: 0 };
    folders.set(path, folder);
    if (whole) folder.everything = true;
    else folder.names.add(basename(file));
  }
  return [...folders.values()];
}

/** Whether the folder that is there is not the one that is watched. */
function isDue(folder: Folder): boolean {
  if (folder.arming || performance.now() < folder.retryAt) return false;
  const identity = identityOf(folder.path);
  return identity !== undefined && identity !== folder.identity;
}

async function arm(folder: Folder, heard: Heard, patienceMs: number): Promise<void> {
  await disarm(folder);
  // Before it is watched: if it is replaced meanwhile, the next look finds another one.
  folder.identity = identityOf(folder.path);
  try {
    failpoint("watch.arm");
    folder.watcher = watch(folder.path, {
      depth: 0,
      ignored: (path) => resolve(path) !== folder.path,
      ignoreInitial: true,
      atomic: false,
      usePolling: false,
    });
    listen(folder, folder.watcher, heard);
    await armed(folder.watcher, patienceMs);
  } catch (error) {
    await giveUp(folder, error, heard);
  } finally {
    folder.arming = undefined;
  }
}

function listen(folder: Folder, watcher: FSWatcher, heard: Heard): void {
  watcher.on("raw", (event, name: string | null) => {
    if (name === null || folder.everything || folder.names.has(name)) heard.event();
    // So the system says that the folder itself was removed or moved. The next one at its place may have its inode.
    else if (event === "rename" && name === basename(folder.path)) {
      folder.identity = undefined;
      heard.event();
      heard.lost();
    }
  });
  watcher.on("error", (error) => {
    if (!folder.arming) void giveUp(folder, error, heard);
  });
}

/** With limits used up chokidar says `error`, then `ready`, then nothing more. */
function armed(watcher: FSWatcher, patienceMs: number): Promise<void> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error("the folder cannot be watched")), patienceMs);
    watcher.once("error", (error) => {
      clearTimeout(timer);
      fail(error as Error);
    });
    watcher.once("ready", () => {
      clearTimeout(timer);
      done();
    });
  });
}

async function giveUp(folder: Folder, error: unknown, heard: Heard): Promise<void> {
  await disarm(folder);
  folder.retryAt = performance.now() + RETRY_MS;
  heard.trouble(error);
}

async function disarm(folder: Folder): Promise<void> {
  const { watcher } = folder;
  folder.watcher = undefined;
  folder.identity = undefined;
  if (!watcher) return;
  // chokidar leaves these timers behind when it is closed; they would hold an ending process back for a second.
  for (const timers of watcher._throttled.values())
    for (const { timeoutObject } of timers.values() as Iterable<{ timeoutObject: NodeJS.Timeout }>) clearTimeout(timeoutObject);
  await watcher.close();
}

/** What changes when a file is saved, in whatever way. */
function metadataOf(files: string[]): string {
  return files.map((file) => told(() => lstatSync(file, { throwIfNoEntry: false }), ["ino", "size", "mtimeMs", "ctimeMs"])).join("\n");
}

/** Inode numbers are given again at once on some file systems, so the time of birth counts too. */
function identityOf(folder: string): string | undefined {
  const identity = told(() => statSync(folder, { throwIfNoEntry: false }), ["dev", "ino", "birthtimeMs"]);
  return identity === "" ? undefined : identity;
}

type Told = "dev" | "ino" | "size" | "mtimeMs" | "ctimeMs" | "birthtimeMs";

function told(look: () => Record<Told, number> | undefined, fields: Told[]): string {
  try {
    const stats = look();
    return stats ? fields.map((field) => stats[field]).join(" ") : "";
  } catch (error) {
    // Something is in the way, which the caller will see when it looks.
    const code = errorCode(error);
    if (code === undefined) throw error;
    return code;
  }
}
