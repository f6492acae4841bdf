// One reviewer process: a prompt on stdin, one JSON answer on stdout. Its exit code is no verdict; what it says is.
import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import type { ZodType } from "zod";
import type { Finding, SaidFinding } from "../../schemas/quality.ts";
import { excerptOf, readOutput } from "../system/captured-output.ts";
import { formatDuration } from "../system/durations.ts";
import { type CommandOutcome, runCommand } from "../system/run-command.ts";
import { type FileExists, placeFindings } from "./findings.ts";
import { readAnswer } from "./reviewer-output.ts";

export interface GateContext {
  /** The task's directory. */
  cwd: string;
  /** An existing folder that takes the outputs of this run, whole. */
  outputFolder: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** One line for a person. */
  progress: (line: string) => void;
}
export interface ReviewContext extends GateContext {
  diff: string;
  /** Paths from the root of the repository, the removed ones too. */
  changedFiles: readonly string[];
  /** Of the repository's worktree. */
  root: string;
  task?: { id: string; title?: string };
}

export interface ReviewerRun<T> {
  /** For people and for the names of output files: `code_review.security`. */
  label: string;
  command: string;
  prompt: string;
  schema: ZodType<T>;
  timeoutMs: number;
}
export type Asked<T> = { ok: true; answer: T } | { ok: false; reason: string };
export type Reviewed<T> = { ok: true; answer: T; findings: Finding[] } | { ok: false; reason: string };

const MOST_ANSWER_BYTES = 4 * 1024 * 1024;

export async function runReviewer<T extends { findings: SaidFinding[] }>(
  run: ReviewerRun<T>,
  context: ReviewContext,
): Promise<Reviewed<T>> {
  const started = Date.now();
  context.progress(`${run.label}: started`);
  const asked = await askReviewer(run, context);
  const reviewed = asked.ok ? place(asked.answer, run.command, context) : asked;
  const said = reviewed.ok ? `${reviewed.findings.length} findings` : `no answer: ${reviewed.reason}`;
  context.progress(`${run.label}: ${said} (${formatDuration(Date.now() - started)})`);
  return reviewed;
}

/** The command and its one answer; `reason` names the command that was tried. */
export async function askReviewer<T>(
  { label, command, prompt, schema, timeoutMs }: ReviewerRun<T>,
  context: GateContext,
): Promise<Asked<T>> {
  const { cwd, env, signal, outputFolder } = context;
  const stdout = join(outputFolder, `${label}.out`);
  const stderr = join(outputFolder, `${label}.err`);
  const outcome = await runCommand({ command, cwd, env, signal, timeoutMs, stdin: prompt, stdout, stderr });
  const fate = describeFate(outcome, timeoutMs);
  if (fate !== undefined) {
    const said = outcome.kind === "exited" ? (await excerptOf(stderr, { maxBytes: 1000, env })).text.trim() : "";
    return { ok: false, reason: `\`${command}\` ${fate}${said ? `: ${said}` : ""}` };
  }
  const output = await readOutput(stdout, MOST_ANSWER_BYTES);
  if (output === undefined) return { ok: false, reason: `\`${command}\` printed more than ${MOST_ANSWER_BYTES} bytes` };
  const answer = readAnswer(output, schema);
  return answer.ok ? { ok: true, answer: answer.value } : { ok: false, reason: `\`${command}\`: ${answer.reason}; its output: ${stdout}` };
}

function place<T extends { findings: SaidFinding[] }>(answer: T, command: string, context: ReviewContext): Reviewed<T> {
  const placed = placeFindings(answer.findings, fileExists(context));
  return placed.ok ? { ok: true, answer, findings: placed.findings } : { ok: false, reason: `\`${command}\`: ${placed.reason}` };
}

/** What befell a command, in words; undefined where it exited with 0. */
export function describeFate(outcome: CommandOutcome, timeoutMs: number): string | undefined {
  switch (outcome.kind) {
    case "exited":
      return outcome.code === 0 ? undefined : `failed with exit code ${outcome.code}`;
    case "timed_out":
      return `was ended because it took longer than ${formatDuration(timeoutMs)}`;
    case "killed":
      return `was killed (${outcome.signal})`;
    case "aborted":
      return "was interrupted";
    case "cannot_start":
      return `could not be started: ${outcome.reason}`;
  }
}

function fileExists({ root, changedFiles }: ReviewContext): FileExists {
  const changed = new Set(changedFiles);
  return (path) => {
    if (changed.has(path)) return true;
    if (path.startsWith("/") || path.includes("\0") || path.split("/").includes("..")) return false;
    const file = join(root, path);
    return existsSync(file) && !lstatSync(file).isDirectory();
  };
}
