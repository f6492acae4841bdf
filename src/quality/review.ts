// The gates that ask reviewers. All reviewers are waited for; if one of them gave no answer, the gate has none.
import { type Finding, type GateResult, ReviewerOutput, SynthesisOutput } from "../../schemas/quality.ts";
import { failsGate, mergeFindings } from "./findings.ts";
import type { MultiPassGate, ParallelReviewGate } from "./gates.ts";
import { inParallel } from "./in-parallel.ts";
import { passPrompt, reviewPrompt, synthesisPrompt } from "./review-prompts.ts";
import { type ReviewContext, runReviewer } from "./run-reviewer.ts";

type Judged = Omit<GateResult, "name" | "duration_ms">;

/** Throws the signal's reason when called off, after every process has ended. */
export function runReview(gate: ParallelReviewGate | MultiPassGate, context: ReviewContext): Promise<GateResult> {
  return timed(gate.name, async () => {
    const judged = gate.type === "parallel_review" ? await parallelReview(gate, context) : await multiPass(gate, context);
    context.signal.throwIfAborted();
    return judged;
  });
}

export async function timed(name: string, work: () => Promise<Judged>): Promise<GateResult> {
  const started = Date.now();
  const judged = await work();
  return { name, duration_ms: Math.max(0, Date.now() - started), ...judged };
}

async function parallelReview(gate: ParallelReviewGate, context: ReviewContext): Promise<Judged> {
  const { reviewer: command, timeoutMs } = gate;
  const reviews = await inParallel(gate.dimensions, gate.maxParallel, async (dimension) => ({
    dimension,
    reviewed: await runReviewer(
      { label: `${gate.name}.${dimension}`, command, timeoutMs, schema: ReviewerOutput, prompt: reviewPrompt(dimension, context) },
      context,
    ),
  }));
  const findings = mergeFindings(...reviews.map(({ reviewed }) => (reviewed.ok ? reviewed.findings : [])));
  const silent = reviews.flatMap(({ dimension, reviewed }) => (reviewed.ok ? [] : [`${dimension}: ${reviewed.reason}`]));
  if (silent.length) return noAnswer(silent, findings);
  return gate.synthesis && findings.length ? synthesize(gate.synthesis, { gate, findings, context }) : judge(findings);
}

/** The command has the last word, except that it cannot let a P0 or P1 pass that it lists itself. */
async function synthesize(
  command: string,
  { gate, findings, context }: { gate: ParallelReviewGate; findings: Finding[]; context: ReviewContext },
): Promise<Judged> {
  context.signal.throwIfAborted();
  const prompt = synthesisPrompt(findings, context);
  const run = { label: `${gate.name}.synthesis`, command, timeoutMs: gate.timeoutMs, schema: SynthesisOutput, prompt };
  const reviewed = await runReviewer(run, context);
  if (!reviewed.ok) return noAnswer([`synthesis: ${reviewed.reason}`], findings);
  const kept = mergeFindings(reviewed.findings);
  const { verdict, summary } = reviewed.answer;
  const outcome = verdict === "pass" && !failsGate(kept) ? "passed" : "failed";
  return { outcome, findings: kept, summary: summary?.trim() || judge(kept).summary };
}

async function multiPass(gate: MultiPassGate, context: ReviewContext): Promise<Judged> {
  let soFar: Finding[] = [];
  for (let number = 1; number <= gate.passes; number++) {
    const prompt = passPrompt({ number, of: gate.passes, dimensions: gate.dimensions, soFar }, context);
    const label = `${gate.name}.pass${number}`;
    const run = { label, command: gate.reviewer, timeoutMs: gate.timeoutMs, schema: ReviewerOutput, prompt };
    const reviewed = await runReviewer(run, context);
    if (!reviewed.ok) return noAnswer([`pass ${number}: ${reviewed.reason}`], soFar);
    soFar = mergeFindings(soFar, reviewed.findings);
  }
  return judge(soFar);
}

function judge(findings: Finding[]): Judged {
  const grave = findings.filter(({ priority }) => priority === "P0" || priority === "P1").length;
  const summary = findings.length ? `${findings.length} findings, ${grave} of them critical or major` : "no findings";
  return { outcome: grave > 0 ? "failed" : "passed", findings, summary };
}

const noAnswer = (reasons: string[], findings: Finding[]): Judged => ({ outcome: "error", findings, summary: reasons.join("\n") });
