// Who holds a lock, and whether that process is surely dead. When in doubt it lives.

import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";

import { isoNow } from "./clock.ts";
import { errorCode } from "./safe-path.ts";

/** Empty strings stand for what this platform does not tell. */
export interface Holder {
  pid: number;
  /** Tells this process from a later one with the same number. */
  started: string;
  boot: string;
  host: string;
  /** The pid namespace: a container has its own process numbers. */
  namespace: string;
  since: string;
  nonce: string;
}

interface Place {
  boot: string;
  host: string;
  namespace: string;
}

let self: Promise<Place & { started: string }> | undefined;

export async function identifySelf(nonce: string): Promise<Holder> {
  return { pid: process.pid, ...(await knowSelf()), since: isoNow(), nonce };
}

export function parseHolder(text: string): Holder | undefined {
  try {
    const value = JSON.parse(text) as Partial<Record<keyof Holder, unknown>> | null;
    if (!value || !Number.isSafeInteger(value.pid) || Number(value.pid) <= 0) return undefined;
    const words = [value.started, value.boot, value.host, value.namespace, value.since, value.nonce];
    return words.every((word) => typeof word === "string") ? (value as Holder) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** True only if the process cannot run any more. A process of another machine or pid namespace is never called dead. */
export async function isDead(holder: Holder): Promise<boolean> {
  const here = await knowSelf();
  // One machine has one boot id at a time, so an earlier one took all its processes along.
  if (holder.boot !== here.boot) return holder.host === here.host && holder.boot !== "" && here.boot !== "";
  if (holder.namespace !== here.namespace || (holder.boot === "" && holder.host !== here.host)) return false;
  if (!isRunning(holder.pid)) return true;
  const started = await startOf(holder.pid);
  if (started === "gone") return true;
  return started !== "" && holder.started !== "" && started !== holder.started;
}

export async function describeHolder(holder: Holder): Promise<string> {
  const here = await knowSelf();
  const where =
    holder.boot !== here.boot || (holder.boot === "" && holder.host !== here.host)
      ? ` on the machine ${JSON.stringify(holder.host)}`
      : holder.namespace === here.namespace
        ? ""
        : ` in another container (host name ${JSON.stringify(holder.host)})`;
  return `process ${holder.pid}${where} since ${JSON.stringify(holder.since)}`;
}

function knowSelf(): Promise<Place & { started: string }> {
  self ??= (async () => ({
    started: await startOf(process.pid),
    boot: await bootId(),
    host: hostname(),
    namespace: process.platform === "linux" ? await orEmpty(readlink("/proc/self/ns/pid")) : "",
  }))();
  return self;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, as another user.
    return errorCode(error) !== "ESRCH";
  }
}

/** When the process started, in the platform's own words; "gone" if it has ended, "" if that cannot be told. */
async function startOf(pid: number): Promise<string> {
  if (process.platform === "win32") return "";
  if (process.platform !== "linux") return (await output("ps", ["-o", "lstart=", "-p", String(pid)])).trim();
  const stat = await orEmpty(readFile(`/proc/${pid}/stat`, "utf8"));
  // The second field is the program's name in brackets and may contain anything; the third is the first one here.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, threads, started] = [fields[0], fields[17], fields[19]];
  // A killed process stays as a zombie until its parent asks, but one of its threads may still be inside a write.
  if ((state === "Z" || state === "X") && Number(threads) <= 1) return "gone";
  return started ?? "";
}

async function bootId(): Promise<string> {
  if (process.platform === "linux") return (await orEmpty(readFile("/proc/sys/kernel/random/boot_id", "utf8"))).trim();
  if (process.platform === "darwin") return (await output("sysctl", ["-n", "kern.bootsessionuuid"])).trim();
  return "";
}

async function output(program: string, words: string[]): Promise<string> {
  const { execFile } = await import("node:child_process");
  const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C", TZ: "UTC" };
  return new Promise((done) => execFile(program, words, { env }, (_error, stdout) => done(stdout)));
}

async function orEmpty(text: Promise<string>): Promise<string> {
  try {
    return await text;
  } catch (error) {
    if (error instanceof Error) return "";
    throw error;
  }
}
