// Which variants of a prompt are asked about, and what the others still lack.
import { type SubjectId, formatSubjectId, spokenSubjectId } from "../../schemas/names.ts";
import { isReadyVariant } from "../../schemas/plan.ts";
import type { Plan } from "../../src/stores/plans.ts";
import type { Prompt } from "../../src/stores/prompts.ts";
import type { Variants } from "./decide-variants.ts";

export const lacking = ({ id, front }: Prompt): string =>
  front.requires_manual_testing && front.status !== "unimplemented"
    ? `${formatSubjectId(id)} (${front.status}; to be tested by envoy plan block-prompt-testing-gate ${spokenSubjectId(id)})`
    : `${formatSubjectId(id)} (${front.status})`;

export const variantsOf = ({ number }: SubjectId, plan: Plan, variants: readonly Prompt[]): Variants => ({
  number,
  feature: plan.branch ?? "the feature branch",
  debug: variants.some(({ front }) => front.kind === "debug"),
  variants: variants.map(({ front }) => ({
    variant: front.variant!,
    description: front.description ?? "",
    branch: front.worktree_branch_name ?? null,
  })),
});

/** While a form lies open its variants stay, reworked or not; a new one joins them once it is ready. */
export const isAskedAbout =
  ({ variants }: Variants) =>
  ({ front }: Prompt): boolean =>
    isReadyVariant(front) || variants.some(({ variant }) => variant === front.variant);
