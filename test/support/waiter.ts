import { type ChildProcess, spawn } from "node:child_process";
import { BINARY, type Run, cleanEnvironment } from "./envoy.ts";

/** A running envoy: wait for what it says on stderr, or for its end. */
export interface Waiter {
  child: ChildProcess;
  /** Resolves with everything said so far, once it matches. */
  says: (pattern: RegExp) => Promise<string>;
  end: Promise<Run>;
  kill: (signal?: NodeJS.Signals) => Promise<Run>;
}

export const WAITS = /No person has answered yet/;

export function startEnvoy(args: string[], { cwd, env }: { cwd: string; env?: Record<string, string | undefined> }): Waiter {
  const child = spawn(process.execPath, [BINARY, ...args], { cwd, env: cleanEnvironment(env), stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  const listeners = new Set<() => void>();
  const heard = () => listeners.forEach((listener) => listener());
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
    heard();
  });
  let ended = false;
  const end = new Promise<Run>((done, fail) => {
    child.on("error", fail);
    child.on("close", (code, signal) => {
      ended = true;
      heard();
      done({
        code,
        signal,
        stdout,
        stderr,
        get json() {
          return JSON.parse(stdout) as Run["json"];
        },
      });
    });
  });
  const says = (pattern: RegExp) =>
    new Promise<string>((done, fail) => {
      const listener = () => {
        if (pattern.test(stderr)) done(stderr);
        else if (ended) fail(new Error(`ended without saying ${pattern}: ${stdout}${stderr}`));
        else return;
        listeners.delete(listener);
      };
      listeners.add(listener);
      listener();
    });
  const kill = (signal: NodeJS.Signals = "SIGKILL") => {
    child.kill(signal);
    return end;
  };
  return { child, says, end, kill };
}
