// Asks a reviewer about a plan before it is built, or about a branch as a whole. Its questions go to a person.
import { EnvoyError } from "../../schemas/errors.ts";
import { AuditOutput } from "../../schemas/quality.ts";
import { material } from "./review-prompts.ts";
import { type GateContext, askReviewer } from "./run-reviewer.ts";

export interface PlanTexts {
  plan: string;
  prompts: readonly { id: string; text: string }[];
  userInput: string;
}

const ANSWER = `Print one JSON object and nothing else:
{"verdict": "approved" or "changes", "thoughts": "what you think of it", "clarifying_questions": ["a question for a person"], "suggested_edits": [{"prompt_id": "2_A", "edit": "what to change in that prompt"}]}
Ask only what a person must decide; leave the list empty where nothing is open.`;

export function auditPrompt({ plan, prompts, userInput }: PlanTexts): string {
  return paragraphs(
    "You audit a plan of work before anyone builds it: gaps, contradictions, wrong order, prompts that cannot be checked, decisions that belong to a person.",
    ANSWER,
    material("plan", plan),
    ...prompts.map(({ id, text }) => material(`prompt-${id}`, text)),
    material("input-of-the-person", userInput),
  );
}

export function branchReviewPrompt({ diff, prompt }: { diff: string; prompt?: { id: string; text: string } }): string {
  return paragraphs(
    prompt ? `You review the change made for prompt ${prompt.id} of a plan.` : "You review the whole change of a branch.",
    "Does it do what was asked, all of it and nothing else? What would you not merge?",
    ANSWER,
    prompt ? material(`prompt-${prompt.id}`, prompt.text) : "",
    material("diff", diff),
  );
}

/** Throws the signal's reason when called off, after every process has ended. */
export async function runAudit(audit: { command: string; prompt: string; timeoutMs: number }, context: GateContext): Promise<AuditOutput> {
  context.progress(`audit: \`${audit.command}\` started`);
  const asked = await askReviewer({ ...audit, label: "audit", schema: AuditOutput }, context);
  context.signal.throwIfAborted();
  if (!asked.ok) throw new EnvoyError("reviewer_failed", { reason: asked.reason });
  return asked.answer;
}

const paragraphs = (...parts: string[]) => `${parts.filter(Boolean).join("\n\n")}\n`;
