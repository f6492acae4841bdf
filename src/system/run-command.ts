// Runs a command of the project's configuration, and tells what it said from what befell it.
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { constants } from "node:os";
import { open, stat } from "node:fs/promises";
import { setDeadline } from "./clock.ts";
import { readTail } from "./captured-output.ts";
import { RUN_MARK, endProcesses } from "./process-tree.ts";
import { errorCode } from "./safe-path.ts";
import { redact } from "./secrets.ts";

/** Only `exited` is the command's own verdict; everything else befell it. */
export type CommandOutcome =
  | { kind: "exited"; code: number }
  | { kind: "timed_out" }
  | { kind: "aborted" }
  | { kind: "killed"; signal: string }
  | { kind: "cannot_start"; reason: string };

export interface CommandRun {
  /** For the shell: quotes, pipes and `&&` work. */
  command: string;
  cwd: string;
  timeoutMs: number;
  /** A new file that takes stdout, and stderr too where it has no file of its own. */
  stdout: string;
  stderr?: string;
  stdin?: string;
  env?: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  /** How long after a timeout the processes may end by themselves before they are killed. */
  graceMs?: number;
}

/**
 * Output goes straight to disk, so that any amount of it is kept. On timeout and abort the whole run is ended before
 * this resolves: group, descendants, and those that went away by `setsid`. Background processes of a command that
 * exited by itself stay.
 */
export async function runCommand(run: CommandRun): Promise<CommandOutcome> {
  if (run.signal?.aborted) return { kind: "aborted" };
  if (!(await isFolder(run.cwd))) return { kind: "cannot_start", reason: `the directory ${run.cwd} is not there` };
  const out = await open(run.stdout, "wx", 0o600);
  const err = run.stderr === undefined ? out : await open(run.stderr, "wx", 0o600);
  try {
    const id = randomUUID();
    const child = spawn("/bin/sh", ["-c", run.command], {
      cwd: run.cwd,
      env: { ...(run.env ?? process.env), [RUN_MARK]: id },
      detached: true,
      stdio: ["pipe", out.fd, err.fd],
    });
    // A command may end without reading what it was given.
    child.stdin!.on("error", () => undefined).end(run.stdin ?? "");
    return await settle(child, { ...run, id });
  } finally {
    await out.close();
    if (err !== out) await err.close();
  }
}

async function settle(child: ChildProcess, run: CommandRun & { id: string }): Promise<CommandOutcome> {
  const { cancel, ended } = untilEnded(child, run);
  try {
    const outcome = await ended;
    if (outcome.kind === "timed_out" || outcome.kind === "aborted") {
      await endProcesses({ pid: child.pid!, id: run.id }, run.graceMs === undefined ? {} : { graceMs: run.graceMs });
    }
    return outcome.kind === "exited" ? await judgeExit(outcome.code, run) : outcome;
  } finally {
    cancel();
    child.stdin!.destroy();
  }
}

function untilEnded(child: ChildProcess, { timeoutMs, signal }: CommandRun): { ended: Promise<CommandOutcome>; cancel: () => void } {
  let abort = (): void => undefined;
  let cancelDeadline = (): void => undefined;
  const ended = new Promise<CommandOutcome>((resolve) => {
    abort = () => resolve({ kind: "aborted" });
    signal?.addEventListener("abort", abort);
    cancelDeadline = setDeadline(new Date(Date.now() + timeoutMs), () => resolve({ kind: "timed_out" }));
    child.once("error", (error) => resolve({ kind: "cannot_start", reason: `the shell could not be started (${errorCode(error)})` }));
    child.once("exit", (code, name) => resolve(code === null ? { kind: "killed", signal: name! } : { kind: "exited", code }));
  });
  const cancel = () => {
    cancelDeadline();
    signal?.removeEventListener("abort", abort);
  };
  return { ended, cancel };
}

/** How a shell reports that a program of its own was killed; other numbers above 128 may be a program's own. */
const KILLS = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGABRT", "SIGBUS", "SIGFPE", "SIGKILL", "SIGSEGV", "SIGPIPE", "SIGTERM"] as const;

async function judgeExit(code: number, { stdout, stderr, env }: CommandRun): Promise<CommandOutcome> {
  if (code === 126 || code === 127) {
    const said = redact(await readTail(stderr ?? stdout, 500), env ?? process.env);
    const what = code === 127 ? "a program was not found" : "a program could not be executed";
    return { kind: "cannot_start", reason: `${what}${said ? `: ${said.split("\n").at(-1)}` : ""}` };
  }
  const signal = KILLS.find((name) => constants.signals[name] + 128 === code);
  return signal ? { kind: "killed", signal } : { kind: "exited", code };
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return false;
    throw error;
  }
}
