#!/usr/bin/env node
import { join } from "node:path";
import { HOOK_DENIES, isHook, main } from "./surfaces/cli/main.ts";
import { readInputBytes } from "./system/input-bytes.ts";
import { visibleText } from "./system/visible-text.ts";

declare const ENVOY_VERSION: string;

let printed = false;

/** A reader that went away (`| head`) or a full disk is no bug: the result just was not delivered. */
class Undelivered extends Error {}

function print(text: string): Promise<void> {
  printed = true;
  const written = new Promise<void>((resolve, reject) => {
    process.stdout.once("error", reject);
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
  return written.catch((error: NodeJS.ErrnoException) => {
    throw new Undelivered(error.code === "EPIPE" ? "stdout was closed before the result was read" : `stdout: ${error.message}`);
  });
}

/** A terminal that is closed has answered nothing. */
async function prompt(question: string): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await Promise.race([lines.question(question), new Promise<string>((done) => lines.once("close", () => done("")))]);
  } finally {
    lines.close();
  }
}

function fail(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  const gone = error instanceof Undelivered || (error as NodeJS.ErrnoException)?.code === "EPIPE";
  process.exitCode = isHook(process.argv.slice(2)) ? HOOK_DENIES : gone ? 5 : 1;
  process.stderr.write(visibleText(gone ? `envoy: ${reason}\n` : `envoy ${ENVOY_VERSION}: ${(error as Error)?.stack ?? reason}\n`));
  if (printed) return;
  printed = true;
  process.stdout.write(
    `${JSON.stringify({ status: "error", error: { type: "internal", message: `A bug in envoy ${ENVOY_VERSION}: ${reason}` } })}\n`,
  );
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
let controller: AbortController | undefined;

/** A second signal ends the process at once. */
function interruption(): AbortSignal {
  if (!controller) {
    const own = (controller = new AbortController());
    for (const signal of SIGNALS) process.once(signal, () => own.abort(signal));
  }
  return controller.signal;
}

process.on("uncaughtException", fail);
process.stderr.on("error", () => undefined); // nobody reads the remarks: the result still counts

main({
  argv: process.argv.slice(2),
  variables: process.env,
  cwd: () => process.cwd(),
  version: ENVOY_VERSION,
  helpFolder: join(import.meta.dirname, "help"),
  isTerminal: process.stdout.isTTY === true,
  stdin: () => readInputBytes(process.stdin),
  ...(process.stdin.isTTY && process.stderr.isTTY ? { prompt } : {}),
  print,
  note: (line) => process.stderr.write(`${line}\n`),
  interruption,
})
  .then((code) => (process.exitCode = code), fail)
  .finally(() => {
    // A hook has answered in time only when it has ended: a lock or a stdin that it still waits for must not keep it.
    // oxlint-disable-next-line unicorn/no-process-exit
    if (isHook(process.argv.slice(2))) process.exit();
  });
