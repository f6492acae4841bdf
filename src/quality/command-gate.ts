// The gate that runs a command of the project: its exit code is the verdict, what befalls it is not.
import { join } from "node:path";
import type { GateResult } from "../../schemas/quality.ts";
import { excerptOf } from "../system/captured-output.ts";
import { runCommand } from "../system/run-command.ts";
import type { CommandGate } from "./gates.ts";
import { timed } from "./review.ts";
import { type GateContext, describeFate } from "./run-reviewer.ts";

const SHOWN_BYTES = 6000;

/** Throws the signal's reason when called off, after every process has ended. */
export function runCommandGate({ name, command, timeoutMs }: CommandGate, context: GateContext): Promise<GateResult> {
  const { cwd, env, signal, outputFolder, progress } = context;
  return timed(name, async () => {
    const stdout = join(outputFolder, `${name}.out`);
    progress(`${name}: started`);
    const outcome = await runCommand({ command, cwd, env, signal, timeoutMs, stdout });
    signal.throwIfAborted();
    const fate = describeFate(outcome, timeoutMs);
    progress(`${name}: ${fate ?? "passed"}`);
    if (fate === undefined) return { outcome: "passed", findings: [], summary: `\`${command}\` passed` };
    const summary = `\`${command}\` ${fate}`;
    if (outcome.kind !== "exited") return { outcome: "error", findings: [], summary };
    const { text } = await excerptOf(stdout, { maxBytes: SHOWN_BYTES, env });
    const issue = text.trim() ? `${summary}. Its output:\n\n${text.trim()}` : `${summary} and printed nothing.`;
    return { outcome: "failed", findings: [{ priority: "P1", issue }], summary };
  });
}
