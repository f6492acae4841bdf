// The files of an open form: the form itself, and for some gates a file beside it for pasted logs. A person may save
// at any moment, so nothing here is replaced or removed before it was taken out of the person's reach and compared.
// Whoever changes a form holds the gate's lock.
import { type Stats, existsSync } from "node:fs";
import { readdir, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, moveFile, readFileSafe, writeFileAtomic } from "../system/atomic-file.ts";
import { now } from "../system/clock.ts";
import { failpoint } from "../system/failpoint.ts";
import { holdsOneOf } from "../system/read-at-once.ts";
import { checkFile, checkFolders, dropTemporaryNames, errorCode, ioFailed, lstatIfThere } from "../system/safe-path.ts";
import type { Watch } from "./records.ts";

/** Where the form of one gate lies, and where envoy keeps what it takes away from there. */
export interface FormPlace {
  /** Below which no link is followed. */
  root: string;
  folder: string;
  key: string;
  gateId: string;
  asideRoot: string;
  asideFolder: string;
  /** With a file beside it for logs. */
  logs: boolean;
}
export interface SavedFile {
  bytes: Buffer;
  savedAt: Date;
  /** Changes with every save. */
  identity: string;
}

export const formFile = ({ folder, key }: Pick<FormPlace, "folder" | "key">): string => join(folder, `${key}.yaml`);
export const logsFile = ({ folder, key }: Pick<FormPlace, "folder" | "key">): string => join(folder, `${key}_logs.md`);

/** Far above what any form or log may hold; only to keep a mistake from filling the memory. */
const MAX_BYTES = 256 * 1024 * 1024;

export async function readSaved(place: FormPlace, file = formFile(place)): Promise<SavedFile | undefined> {
  const stats = await lstatIfThere(file);
  if (stats && stats.nlink > 1 && file === formFile(place) && (await isHalfBack(place))) return undefined; // as long as it is taken
  const root = file.startsWith(place.folder) ? place.root : place.asideRoot;
  const bytes = await readFileSafe(root, file, { maxBytes: MAX_BYTES });
  return bytes && stats ? { bytes, savedAt: knownTime(stats.mtime), identity: identityOf(stats) } : undefined;
}

/** A file can bear a time that no calendar has. */
const knownTime = (time: Date): Date => (Number.isNaN(time.getTime()) ? now() : time);

/** At once, and without saying what else lies there. */
export const formHoldsOneOf = (place: FormPlace, texts: readonly string[]): boolean => holdsOneOf(formFile(place), texts);

/** A process was killed before it had made the file for logs, or a person has removed it. */
export const isWithoutLogsFile = (place: FormPlace): boolean => place.logs && !existsSync(logsFile(place));

/** 0 where there is none. */
export const savedSize = async (file: string): Promise<number> => (await lstatIfThere(file))?.size ?? 0;

const identityOf = ({ mtimeMs, size, ino }: Stats): string => `${mtimeMs}-${size}-${ino}`;

/** False: something lies there already. */
export async function createFile(place: FormPlace, file: string, content: string | Buffer): Promise<boolean> {
  await makeFolder(place.root, place.folder);
  return writeFileAtomic(file, content, { ifAbsent: true });
}

/**
 * Puts `text` in the place of the bytes that were judged. False: the person has saved something else meanwhile, and that
 * lies there now. For a moment no file has the name, so that no save can slip in between comparing and replacing.
 */
export async function replaceForm(place: FormPlace, { judged, text }: { judged: Buffer; text: string }): Promise<boolean> {
  if (!(await take(place, formFile(place)))) return false;
  if (!(await holds(place, takenName(place), judged))) {
    await putBack(place);
    return false;
  }
  failpoint("form.put");
  const placed = await createFile(place, formFile(place), text);
  // An editor that still had the old file open may have written into it after it was taken away.
  const late = await readSaved(place, takenName(place));
  failpoint("form.forget");
  if (late && !late.bytes.equals(judged)) await keep(place, takenName(place), "saved-meanwhile");
  else await unlinkIfThere(takenName(place));
  return placed;
}

/**
 * After a kill between taking and putting: what was taken goes back, unless a newer save lies there already. The file
 * itself and no copy: an editor that emptied it and is about to write still has it open.
 */
export async function putBack(place: FormPlace): Promise<boolean> {
  if (!(await lstatIfThere(takenName(place)))) return false;
  await makeFolder(place.root, place.folder);
  failpoint("form.put-back");
  if (!(await moveFile(takenName(place), formFile(place)))) await keep(place, takenName(place), "saved-before");
  return true;
}

/** A put-back that was killed half-way leaves the form with both names. */
async function isHalfBack(place: FormPlace): Promise<boolean> {
  const [taken, form] = await Promise.all([lstatIfThere(takenName(place)), lstatIfThere(formFile(place))]);
  return taken !== undefined && taken.ino === form?.ino && taken.dev === form.dev;
}

/** Takes a file away for good if it still holds what was expected; otherwise it is kept, and its new place is told. */
export async function removeSaved(place: FormPlace, file: string, expected: Buffer): Promise<string | undefined> {
  if (!(await take(place, file))) return undefined;
  if (!(await holds(place, takenName(place), expected))) return keep(place, takenName(place), "saved-again");
  failpoint("form.removed");
  await unlinkIfThere(takenName(place));
  return undefined;
}

/** Moves a file that answers nothing out of the way. */
export async function setAside(place: FormPlace, file = formFile(place)): Promise<string | undefined> {
  return (await take(place, file)) ? keep(place, takenName(place), "left-over") : undefined;
}

/** Hears of every save of the form and of the logs beside it. */
export async function watchForm(place: FormPlace, look: () => void, note: (line: string) => void): Promise<Watch> {
  const { watchPaths } = await import("../system/watch.ts");
  return watchPaths([formFile(place), ...(place.logs ? [logsFile(place)] : [])], look, { note });
}

/** Hears of every save of every form in a folder. */
export async function watchFolder(folder: string, look: () => void, note: (line: string) => void): Promise<Watch> {
  const { watchPaths } = await import("../system/watch.ts");
  return watchPaths([`${folder}/`], look, { note });
}

const takenName = ({ asideFolder, key, gateId }: FormPlace): string => join(asideFolder, `${key}-${gateId}-taken`);

const holds = async (place: FormPlace, file: string, expected: Buffer): Promise<boolean> =>
  (await savedSize(file)) === expected.length && ((await readSaved(place, file))?.bytes.equals(expected) ?? false);

async function take(place: FormPlace, file: string): Promise<boolean> {
  await makeFolder(place.asideRoot, place.asideFolder);
  if (await isHalfBack(place)) await putBack(place);
  if (!(await checkFolders(place.root, file)) || !(await checkFile(file))) return false;
  if (await checkFile(takenName(place))) await keep(place, takenName(place), "saved-before");
  try {
    await dropTemporaryNames(file);
    failpoint("form.take");
    await rename(file, takenName(place));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw ioFailed(error, file, "take away");
  }
  return true;
}

/** Gives it the first free name. The lock keeps others of envoy's processes out. */
async function keep(place: FormPlace, file: string, why: string): Promise<string> {
  const taken = new Set(await readdir(place.asideFolder));
  let n = 1;
  const name = () => `${place.key}-${place.gateId}-${why}${n > 1 ? `-${n}` : ""}.yaml`;
  while (taken.has(name())) n++;
  failpoint("form.keep");
  await rename(file, join(place.asideFolder, name()));
  return join(place.asideFolder, name());
}

async function unlinkIfThere(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (errorCode(error) !== "ENOENT") throw ioFailed(error, path, "remove");
  });
}
