// The vocabulary of quality gates: findings, feedback, verdicts, and what a reviewer prints.
import { array, int, optional, nullish, strictObject, string, object, enum as oneOf, type infer as Infer } from "zod";

export const DIMENSIONS = ["correctness", "security", "performance", "resilience", "tests", "readability", "design"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Critical, Major, Minor, Suggestion; the first two fail the gate. */
export const PRIORITIES = ["P0", "P1", "P2", "P3"] as const;
export type Priority = (typeof PRIORITIES)[number];
export const PRIORITY_NAMES: Record<Priority, string> = { P0: "Critical", P1: "Major", P2: "Minor", P3: "Suggestion" };

const MOST_TEXT = 20_000;
const text = () => string().trim().min(1).max(MOST_TEXT);

export const Location = strictObject({
  file: text().describe("Path from the root of the repository, with `/`."),
  line: optional(int().positive()),
  column: optional(int().positive()),
});

export const Finding = strictObject({
  priority: oneOf(PRIORITIES).describe("P0 Critical and P1 Major fail the gate; P2 Minor and P3 Suggestion do not."),
  location: optional(Location),
  issue: text().describe("What is wrong and why it matters."),
  suggestion: optional(text()),
});
export type Finding = Infer<typeof Finding>;

export const Feedback = strictObject({
  gate_name: string(),
  findings: array(Finding),
  summary: string(),
  suggested_action: string(),
});
export type Feedback = Infer<typeof Feedback>;

export const GATE_OUTCOMES = ["passed", "failed", "error", "skipped"] as const;

/** What became of one gate. `failed` is a verdict; `error` befell the gate and says nothing about the work. */
export const GateResult = strictObject({
  name: string(),
  outcome: oneOf(GATE_OUTCOMES),
  duration_ms: int().min(0),
  findings: array(Finding),
  summary: string(),
});
export type GateResult = Infer<typeof GateResult>;

export const VERDICTS = ["pass", "fail"] as const;

/** What a reviewer says; reviewers add words of their own and write null for nothing, so both are let be. */
const SaidLocation = object({
  file: text().describe("An existing file, as a path from the root of the repository. Leave `location` out where there is none."),
  line: nullish(int().positive()),
  column: nullish(int().positive()),
});
const SaidFinding = object({
  priority: oneOf(PRIORITIES).describe("P0 Critical and P1 Major fail the gate; P2 Minor and P3 Suggestion do not."),
  location: nullish(SaidLocation),
  issue: text().describe("What is wrong and why it matters."),
  suggestion: nullish(string().max(MOST_TEXT)).describe("What to do about it."),
});
export type SaidFinding = Infer<typeof SaidFinding>;

/** What a reviewer prints for `parallel_review` and `multi_pass`. */
export const ReviewerOutput = object({ findings: array(SaidFinding).max(500), summary: nullish(string().max(MOST_TEXT)) });
export type ReviewerOutput = Infer<typeof ReviewerOutput>;

/** What the `synthesis` command prints. A `pass` beside a P0 or P1 finding is a contradiction and counts as `fail`. */
export const SynthesisOutput = object({
  verdict: oneOf(VERDICTS),
  findings: array(SaidFinding).max(500),
  summary: nullish(string().max(MOST_TEXT)),
});
export type SynthesisOutput = Infer<typeof SynthesisOutput>;

/** What `envoy gemini audit` and `review` ask for. */
export const AuditOutput = object({
  verdict: text().describe("`approved`; anything else says that it should change first."),
  thoughts: string().max(MOST_TEXT),
  clarifying_questions: array(text()).max(50),
  suggested_edits: array(object({ prompt_id: text(), edit: text() })).max(200),
});
export type AuditOutput = Infer<typeof AuditOutput>;
