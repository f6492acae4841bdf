// The vocabulary of a plan's files: findings, prompts, plan.md.
import { array, boolean, looseObject, nullable, number, object, optional, string, enum as oneOf, type infer as Infer } from "zod";
import { isSpecialist, SPECIALIST_RULE } from "./names.ts";

export const PROMPT_KINDS = ["feature", "debug"] as const;
export const PROMPT_STATUSES = ["unimplemented", "implemented", "reviewed", "tested", "merged"] as const;
const VARIANT_SOLUTIONS = ["main", "alternative", "discard"] as const;

const positive = () => number().int().positive().max(999_999_999);
const variant = () => nullable(string().regex(/^[A-Z]$/, "must be one capital letter or null"));

const Question = looseObject({ question: string() });
const AnsweredQuestion = looseObject({ question: string(), answer: string() });

export const Approach = looseObject({
  number: positive(),
  variant: optional(variant()),
  description: optional(nullable(string())),
  relevant_files: optional(nullable(array(string()))),
  required_clarifying_questions: optional(nullable(array(Question))),
  user_addressed_questions: optional(nullable(array(AnsweredQuestion))),
  user_requested_changes: optional(nullable(string())),
  approach_detail: optional(nullable(string())),
});
export type Approach = Infer<typeof Approach>;

export const Findings = looseObject({
  specialist_name: string().refine(isSpecialist, `must be ${SPECIALIST_RULE}`),
  notes: optional(nullable(string())),
  approaches: optional(nullable(array(Approach))),
});
export type Findings = Infer<typeof Findings>;

/** What `write-finding --input` and `--approaches` take: as in the file, but refusing what nobody would read. */
const ApproachInput = object({
  number: positive(),
  variant: variant().default(null),
  description: string().default(""),
  relevant_files: array(string()).default([]),
  required_clarifying_questions: array(object({ question: string() }).strict()).default([]),
  user_addressed_questions: optional(array(object({ question: string(), answer: string() }).strict())),
  user_requested_changes: string().default(""),
  approach_detail: string().default(""),
}).strict();
export const ApproachesInput = array(ApproachInput);
export const FindingsInput = object({ notes: optional(string()), approaches: optional(ApproachesInput) }).strict();

export const PromptFrontMatter = looseObject({
  number: positive(),
  variant: optional(variant()),
  description: optional(nullable(string())),
  kind: optional(oneOf(PROMPT_KINDS)),
  relevant_files: optional(nullable(array(string()))),
  success_criteria: optional(nullable(string())),
  depends_on: optional(nullable(array(positive()))),
  requires_manual_testing: optional(boolean()),
  in_progress: optional(boolean()),
  status: oneOf(PROMPT_STATUSES),
  worktree_branch_name: optional(nullable(string())),
  variant_solution: optional(nullable(oneOf(VARIANT_SOLUTIONS))),
  /** The gate at which a person passed it; gone as soon as the status is set in another way. */
  tested_by: optional(nullable(string())),
});
export type PromptFrontMatter = Infer<typeof PromptFrontMatter>;

/** A variant that can be chosen: tested, or finished where no person has to test it. */
export const isReadyVariant = ({
  status,
  requires_manual_testing,
}: Pick<PromptFrontMatter, "status" | "requires_manual_testing">): boolean =>
  status === "tested" || status === "merged" || (status !== "unimplemented" && !requires_manual_testing);

export const PlanFrontMatter = looseObject({ title: optional(nullable(string())), objective: optional(nullable(string())) });
export type PlanFrontMatter = Infer<typeof PlanFrontMatter>;
