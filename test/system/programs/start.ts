// Bundles the programs beside this file and starts them as real processes.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { buildSync } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

type Program = "write" | "rewrite" | "increment" | "hold" | "watch" | "discard";

/** Bundles the programs once per test file, and gives the path of one. */
export function usePrograms(...programs: Program[]): (program: Program) => string {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "envoy-programs-"));
    const entryPoints = programs.map((program) => join(import.meta.dirname, `${program}.ts`));
    buildSync({ entryPoints, bundle: true, platform: "node", format: "esm", outdir: folder, outExtension: { ".js": ".mjs" } });
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return (program) => join(folder, `${program}.mjs`);
}

/** A new folder for each test. */
export function useFolder(): { readonly path: string } {
  const folder = { path: "" };
  beforeEach(() => {
    folder.path = mkdtempSync(join(tmpdir(), "envoy-system-"));
  });
  afterEach(() => rmSync(folder.path, { recursive: true }));
  return folder;
}

export function start(program: string, words: string[], failpoint = ""): ChildProcess {
  const env = { ...process.env, NODE_ENV: "test", ENVOY_FAILPOINT: failpoint };
  return spawn(process.execPath, [program, ...words], { env, stdio: ["pipe", "pipe", "inherit"] });
}

export type Ending = number | NodeJS.Signals;

export async function ending(child: ChildProcess): Promise<Ending> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.signalCode ?? child.exitCode ?? -1;
}

/** Kills a new run at the 1st failpoint, the 2nd, …, until one gets through; `check` runs after each. Gives the kills. */
export async function killAtEachStep(run: (failpoint: string) => ChildProcess, check: (step: number) => Promise<void>): Promise<number> {
  for (let step = 1; ; step++) {
    const end = await ending(run(`#${step}=kill`));
    await check(step);
    if (end === 0) return step - 1;
    if (end !== "SIGKILL") throw new Error(`ended with ${end} at step ${step}`);
  }
}
