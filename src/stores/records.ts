// Records: the state of a gate, a question, a task or a halt is a history of facts that only grows. This room knows
// how they lie on disk; whoever uses them knows a few verbs.
import { lstatSync, readFileSync, readdirSync } from "node:fs";
import { rename } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { EnvoyError } from "../../schemas/errors.ts";
import { makeFolder, removeLeftovers, writeFileAtomic } from "../system/atomic-file.ts";
import { isoNow } from "../system/clock.ts";
import { PLAINLY } from "../system/read-at-once.ts";
import { checkFolder, errorCode, foldersBetween } from "../system/safe-path.ts";
import type { Project } from "./project.ts";

/** Where each kind of stream lies below envoy's folder. */
const FOLDERS = {
  gate: "state/gates",
  key: "state/keys",
  operation: "state/operations",
  question: "questions",
  task: "tasks",
  halt: "halts",
  round: "state/rounds",
} as const;

export type StreamKind = keyof typeof FOLDERS;

/** What halts somebody begins so. Anything else there is damage, and must not pass for a history that has not begun. */
const BEGINNINGS: Partial<Record<StreamKind, string>> = { gate: "opened", question: "opened", halt: "halted" };
/** Names one history, and by its type what facts that is made of. */
export interface Stream<F extends { type: string } = { type: string }> {
  kind: StreamKind;
  id: string;
  readonly facts?: F;
}
/** Set by the store, on every fact. */
export interface Stamp {
  version: 1;
  at: string;
  by: { user: string; agent?: string };
}
export type Recorded<F> = F & Stamp;

export interface Records {
  /** Adds a fact to a history of which the caller has seen `after` facts; false: it is longer by now, read again. */
  append: <F extends { type: string }>(stream: Stream<F>, after: number, fact: F) => Promise<boolean>;
  read: <F extends { type: string }>(stream: Stream<F>) => Promise<Recorded<F>[]>;
  /** All histories of a kind that are not closed, in one go: what runs before every tool call of an agent reads so. */
  readLive: <F extends { type: string }>(
    kind: StreamKind,
    isOne: (id: string) => boolean,
  ) => Promise<{ id: string; facts: Recorded<F>[] }[]>;
  /** The streams of a kind that are not closed; with `closed`, those too. */
  list: (kind: StreamKind, options?: { closed?: boolean }) => Promise<string[]>;
  /** Puts a history that has come to its end out of the way of `list`; it stays readable, and can still grow. */
  close: (stream: Stream) => Promise<void>;
  /** Says "look again": once when armed, at every change of these histories (of a whole kind: when one begins or is closed), and every few seconds at the latest. */
  watch: (
    streams: readonly (Stream | { kind: StreamKind; id?: never })[],
    look: () => void,
    note?: (line: string) => void,
  ) => Promise<Watch>;
}
export interface Watch {
  close: () => Promise<void>;
}

const CLOSED = "ended";
const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

export function fileRecords(project: Project, { agent }: { agent?: string | undefined } = {}): Records {
  const folderOf = ({ kind, id }: Stream, closed = false): string => {
    if (!ID.test(id) || id === CLOSED) throw new EnvoyError("unsafe_path", { path: id, kind: "not a name that envoy gives" });
    return join(project.directory, FOLDERS[kind], ...(closed ? [CLOSED] : []), id);
  };
  const whereIs = (stream: Stream): { folder: string; names: string[] } => {
    for (const folder of [folderOf(stream), folderOf(stream, true)]) {
      const names = factNames(project, folder);
      if (names) return { folder, names };
    }
    return { folder: folderOf(stream), names: [] };
  };
  const known = new Map<string, Recorded<{ type: string }>>(); // a fact never changes
  const factAt = (file: string): Recorded<{ type: string }> => {
    const fact = known.get(file) ?? readFact(file);
    known.set(file, fact);
    return fact;
  };
  const append: Records["append"] = async (stream, after, fact) => {
    const { folder, names } = whereIs(stream);
    if (names.length !== after) return false;
    await makeFolder(project.root, folder);
    const stamped = { ...fact, version: 1, at: isoNow(), by: { user: userInfo().username, ...(agent ? { agent } : {}) } };
    return writeFileAtomic(join(folder, factName(after + 1)), `${JSON.stringify(stamped)}\n`, { ifAbsent: true });
  };
  return {
    append: async (stream, after, fact) => {
      try {
        return await append(stream, after, fact);
      } catch (error) {
        // The folder was moved to the closed ones between the look and the write.
        if (error instanceof EnvoyError && error.type === "io_failed" && errorCode(error.cause) === "ENOENT")
          return append(stream, after, fact);
        throw error;
      }
    },
    read: async <F extends { type: string }>(stream: Stream<F>) => {
      const { folder, names } = whereIs(stream);
      const facts = names.map((name) => factAt(join(folder, name)) as Recorded<F>);
      return begunRight(stream.kind, folder, facts);
    },
    readLive: async <F extends { type: string }>(kind: StreamKind, isOne: (id: string) => boolean) => {
      const folder = join(project.directory, FOLDERS[kind]);
      if (![...foldersBetween(project.root, folder), folder].every(isFolder)) return [];
      const live: { id: string; facts: Recorded<F>[] }[] = [];
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (entry.name === CLOSED || !ID.test(entry.name) || !isOne(entry.name)) continue;
        if (!entry.isDirectory()) throw new EnvoyError("unsafe_path", { path: join(folder, entry.name), kind: "not a folder" });
        const facts = readIfLive<F>(join(folder, entry.name));
        if (facts) live.push({ id: entry.name, facts: begunRight(kind, join(folder, entry.name), facts) });
      }
      return live;
    },
    list: async (kind, { closed = false } = {}) => {
      const folder = join(project.directory, FOLDERS[kind]);
      if (![...foldersBetween(project.root, folder), folder].every(isFolder)) return [];
      const names = [...namesIn(folder), ...(closed ? namesIn(join(folder, CLOSED)) : [])];
      return [...new Set(names)].filter((name) => name !== CLOSED && ID.test(name)).sort();
    },
    close: async (stream) => {
      await makeFolder(project.root, join(project.directory, FOLDERS[stream.kind], CLOSED));
      if (!(await checkFolder(folderOf(stream)))) return;
      await removeLeftovers(folderOf(stream));
      await rename(folderOf(stream), folderOf(stream, true)).catch((error: unknown) => {
        if (errorCode(error) !== "ENOENT") throw error; // another process closed it
      });
    },
    watch: async (streams, look, note) => {
      const { watchPaths } = await import("../system/watch.ts");
      // A new fact changes the folder of its history; closing the history moves that folder.
      return watchPaths(
        streams.map((stream) => `${stream.id === undefined ? join(project.directory, FOLDERS[stream.kind]) : folderOf(stream)}/`),
        look,
        note ? { note } : {},
      );
    },
  };
}

/** At once: the first awaited look at a file starts threads, which takes longer than this whole reading. */
function isFolder(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats && !stats.isDirectory()) throw new EnvoyError("unsafe_path", { path, kind: "not a folder" });
  return stats !== undefined;
}

/** Undefined where it was closed while it was being read. */
function readIfLive<F extends { type: string }>(folder: string): Recorded<F>[] | undefined {
  try {
    return numbered(folder, namesIn(folder)).map((name) => readFact(join(folder, name)) as unknown as Recorded<F>);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function begunRight<F extends { type: string }>(kind: StreamKind, folder: string, facts: Recorded<F>[]): Recorded<F>[] {
  const [expected, first] = [BEGINNINGS[kind], facts[0]];
  if (first && expected && first.type !== expected)
    throw damaged(join(folder, factName(1)), `the record begins with ${JSON.stringify(first.type)} instead of "${expected}"`);
  return facts;
}

const factName = (n: number) => `${String(n).padStart(5, "0")}.json`;

/** The names of all facts in order; undefined where the folder does not exist. A gap is damage. */
function factNames(project: Project, folder: string): string[] | undefined {
  if (![...foldersBetween(project.root, folder), folder].every(isFolder)) return undefined;
  return numbered(folder, namesIn(folder));
}

function numbered(folder: string, entries: string[]): string[] {
  const names = entries.filter((name) => /^\d{5}\.json$/.test(name)).sort();
  const gap = names.findIndex((name, i) => name !== factName(i + 1));
  if (gap >= 0) throw damaged(join(folder, factName(gap + 1)), "this part of the record is missing");
  return names;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** Small files that envoy alone writes: read in one go, which is several times faster than awaiting each step. */
function readFact(file: string): Recorded<{ type: string }> {
  try {
    // A pipe or a device gives no JSON; a link is not followed.
    const fact = JSON.parse(readFileSync(file, { encoding: "utf8", flag: PLAINLY })) as Recorded<{ type: string }>;
    if (fact?.version !== 1) throw damaged(file, `version ${String(fact?.version)} was written by another envoy; this one knows version 1`);
    if (typeof fact.type !== "string" || Number.isNaN(Date.parse(fact.at)) || typeof fact.by?.user !== "string")
      throw damaged(file, "a fact must have a type, a time (`at`) and an author (`by`)");
    return fact;
  } catch (error) {
    if (error instanceof SyntaxError) throw damaged(file, `not JSON: ${error.message}`);
    if (errorCode(error) === "ELOOP" || errorCode(error) === "EISDIR")
      throw new EnvoyError("unsafe_path", { path: file, kind: "not a plain file" });
    throw error;
  }
}
const damaged = (file: string, message: string) =>
  new EnvoyError("invalid_file", { file, issues: [{ file, line: 1, column: 1, message }] });
