// Adds to the end of a file where it lies, at the same cost however large it is. What is added is noted beside the file
// first: after a kill, a full disk or a power loss the note tells what to finish, so that all of it stands there once or
// nothing does. See docs/decisions/0017-append.md.
import { constants } from "node:fs";
import { open, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import { EnvoyError } from "../../schemas/errors.ts";
import { readFileSafe, removeFile, writeFileAtomic } from "./atomic-file.ts";
import { failpoint } from "./failpoint.ts";
import { checkFile, ioFailed } from "./safe-path.ts";

const { O_APPEND, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

interface Note {
  /** How long the file was. */
  from: number;
  text: string;
}

/** Far above what one answer adds. */
const MAX_NOTE_BYTES = 512 * 1024 * 1024;

export const noteOf = (path: string): string => `${path}.adding`;

/** Makes the file if absent, else keeps its mode. Callers hold a lock, or one of two appends is lost. */
export async function appendToFile(path: string, text: string): Promise<void> {
  await finishAppend(path);
  const stats = await checkFile(path);
  if (!stats) return void (await writeFileAtomic(path, text));
  await writeFileAtomic(noteOf(path), JSON.stringify({ from: stats.size, text } satisfies Note));
  try {
    await write(path, text);
  } catch (error) {
    await truncate(path, stats.size); // where even that fails, the note stays and the next run finishes
    await removeFile(noteOf(path));
    throw ioFailed(error, path, "add to");
  }
  await removeFile(noteOf(path));
}

/** Undefined of an empty file and where there is none. */
export async function lastByte(path: string): Promise<number | undefined> {
  const stats = await checkFile(path);
  return stats?.size ? (await readFrom(path, stats.size - 1, 1))[0] : undefined;
}

/** Finishes what a killed process began to add. Callers hold the lock. */
export async function finishAppend(path: string): Promise<void> {
  const noted = await readFileSafe(dirname(path), noteOf(path), { maxBytes: MAX_NOTE_BYTES });
  if (!noted) return;
  const { from, text } = parseNote(noteOf(path), noted.toString("utf8"));
  const size = (await checkFile(path))?.size;
  if (size === undefined) await writeFileAtomic(path, text);
  else await finishIn(path, { size, from, data: Buffer.from(text) });
  await removeFile(noteOf(path));
}

async function finishIn(path: string, { size, from, data }: { size: number; from: number; data: Buffer }): Promise<void> {
  const found = await readFrom(path, from, data.length);
  if (found.equals(data)) return;
  if (size >= from && size - from <= data.length && isTorn(found, data)) {
    failpoint("append.truncate");
    await truncate(path, from);
  } else if (await holds(path, data)) return; // somebody has edited the file since
  await write(path, data);
}

/** A part of what was to be added, and behind it what a disk gives for blocks that it never wrote. */
function isTorn(found: Buffer, data: Buffer): boolean {
  let length = found.length;
  while (length > 0 && found[length - 1] === 0) length--;
  return data.subarray(0, length).equals(found.subarray(0, length));
}

async function write(path: string, data: string | Buffer): Promise<void> {
  failpoint("append.open");
  const handle = await open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK);
  try {
    failpoint("append.write");
    await handle.writeFile(data);
    failpoint("append.sync");
    await handle.sync();
  } finally {
    await handle.close();
  }
  failpoint("append.written");
}

async function readFrom(path: string, position: number, length: number): Promise<Buffer> {
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(length), position });
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

const holds = async (path: string, data: Buffer): Promise<boolean> =>
  (await readFileSafe(dirname(path), path, { maxBytes: 2 ** 30 }))?.includes(data) ?? false;

function parseNote(file: string, json: string): Note {
  const damaged = (message: string) => new EnvoyError("invalid_file", { file, issues: [{ file, line: 1, column: 1, message }] });
  let note: Partial<Note> | null;
  try {
    note = JSON.parse(json) as Partial<Note> | null;
  } catch (error) {
    throw damaged(`not JSON: ${(error as Error).message}`);
  }
  if (!Number.isSafeInteger(note?.from) || note!.from! < 0 || typeof note!.text !== "string")
    throw damaged("it must say what was to be added, and where");
  return note as Note;
}
