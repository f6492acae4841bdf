import { type SpawnOptions, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The binary as `npm run build` left it: tests go through it, as users do. */
export const BINARY = resolve(import.meta.dirname, "../../dist/bin/envoy.cjs");

export interface Run {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** The one JSON document; throws where stdout is something else. */
  json: { status: string; data: any; error: { type: string; message: string; suggestion: string; issues: any[] } };
}

export interface RunOptions {
  cwd: string;
  env?: Record<string, string | undefined>;
  input?: string | Buffer;
  stdio?: SpawnOptions["stdio"];
}

/** Nothing of the developer's own settings reaches a test. */
export function cleanEnvironment(extra: Record<string, string | undefined> = {}): NodeJS.ProcessEnv {
  const { PATH } = process.env;
  const home = mkdtempSync(join(tmpdir(), "envoy-home-"));
  return { PATH, HOME: home, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", TZ: "UTC", NODE_ENV: "test", ...extra };
}

export function envoy(args: string[], { cwd, env, input, stdio }: RunOptions): Promise<Run> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [BINARY, ...args], { cwd, env: cleanEnvironment(env), stdio: stdio ?? "pipe" });
    let stdout = "";
    let stderr = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
    child.on("error", fail);
    child.on("close", (code, signal) => {
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
    child.stdin?.on("error", () => undefined); // it may end before it has read everything
    child.stdin?.end(input ?? "");
  });
}
