// Everything a command started, found again to be ended: a child that ran `setsid` leaves its group, so the group
// alone is not enough.
import { execFile } from "node:child_process";
import { readFile, readdir } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { errorCode } from "./safe-path.ts";

/** Set for every process of one run, and inherited by what it starts. */
export const RUN_MARK = "ENVOY_RUN_ID";

interface Process {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** Tells this process from a later one with the same number; "" where the platform does not tell. */
  started: string;
  marked: boolean;
}
interface Run {
  /** Of the first process, which leads its own group. */
  pid: number;
  id: string;
}

const LOOK_AGAIN_MS = 25;
const MOST_KILLS = 200;

/** Asks all processes of the run to end, and kills those that are still there after `graceMs`. */
export async function endProcesses(run: Run, { graceMs = 2000 }: { graceMs?: number } = {}): Promise<void> {
  const known = new Map<number, string>();
  signal(await findProcesses(run, known), "SIGTERM");
  for (const until = Date.now() + graceMs; Date.now() < until; await pause(LOOK_AGAIN_MS))
    if ((await findProcesses(run, known)).length === 0) return;
  // More than once: a process may have started another one while the list was read.
  for (let kills = 0; kills < MOST_KILLS; kills++, await pause(LOOK_AGAIN_MS)) {
    const left = await findProcesses(run, known);
    if (left.length === 0) return;
    signal(left, "SIGKILL");
  }
}

/** `known` keeps those found before: one that has dropped the mark and lost its parent is still told by its start. */
async function findProcesses({ pid, id }: Run, known: Map<number, string>): Promise<number[]> {
  const all = await listProcesses(id);
  const found = new Map<number, Process>();
  for (const each of all) {
    const seenBefore = known.has(each.pid) && known.get(each.pid) === each.started;
    if (each.marked || each.group === pid || each.session === pid || seenBefore) found.set(each.pid, each);
  }
  for (let grown = true; grown;) {
    const children = all.filter((each) => found.has(each.parent) && !found.has(each.pid));
    for (const child of children) found.set(child.pid, child);
    grown = children.length > 0;
  }
  found.delete(process.pid);
  for (const each of found.values()) known.set(each.pid, each.started);
  return [...found.keys()];
}

function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      // It has ended meanwhile, or has become another user's by setuid and cannot be reached.
      if (errorCode(error) !== "ESRCH" && errorCode(error) !== "EPERM") throw error;
    }
  }
}

async function listProcesses(id: string): Promise<Process[]> {
  if (process.platform !== "linux") return listByPs();
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(pids.map((pid) => readProcess(Number(pid), id)));
  return all.filter((each) => each !== undefined);
}

async function readProcess(pid: number, id: string): Promise<Process | undefined> {
  const stat = await readIfThere(`/proc/${pid}/stat`);
  // The second field is the program's name in brackets and may contain anything.
  const [state, parent, group, session, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (stat === "" || state === "Z" || state === "X") return undefined;
  const marked = (await readIfThere(`/proc/${pid}/environ`)).split("\0").includes(`${RUN_MARK}=${id}`);
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), started: rest[15] ?? "", marked };
}

/** Without /proc the environment of others is not to be had; parents and groups still are. */
async function listByPs(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,pgid=,stat="], { maxBuffer: 16 * 1024 * 1024 });
  const rows = stdout.split("\n").map((line) => line.trim().split(/\s+/));
  return rows
    .filter(([, , , state]) => state !== undefined && !state.startsWith("Z"))
    .map(([pid, parent, group]) => ({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: 0,
      started: "",
      marked: false,
    }));
}

/** Processes end while they are looked at, and those of others may not be read. */
async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(errorCode(error) ?? "")) return "";
    throw error;
  }
}
