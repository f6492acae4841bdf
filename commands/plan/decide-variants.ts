// What a person's choice among variants comes to, for all of them and for each one's caller.
import type { infer as Infer } from "zod";
import type { VariantsGate } from "../../schemas/gates.ts";
import { type SubjectId, formatSubjectId, spokenSubjectId } from "../../schemas/names.ts";
import type { Decision } from "../../src/gate/gate.ts";
import type { GateResult } from "../../src/gate/history.ts";
import { type Uncommitted, uncommittedIn } from "../../src/stores/prompt-worktree.ts";
import type { House } from "../../src/gate/house.ts";
import type { Change, Outcome } from "../../src/stores/changes.ts";

export interface Variants {
  number: number;
  feature: string;
  debug: boolean;
  variants: { variant: string; description: string; branch: string | null }[];
}
type Solution = "main" | "alternative" | "discard";
/** What is recorded about each variant, for whoever calls. */
interface Decided {
  variant: string;
  variant_solution: Solution;
  reason: string;
  branch: string | null;
  next: string;
}

export function decideVariants(
  { variants: given }: Infer<(typeof VariantsGate)["answers"]>,
  { number, feature, debug, variants }: Variants,
): Decision {
  const decisions = variants.map(({ variant, branch }): Decided => {
    const { decision, reason } = given[variant]!;
    const variant_solution = decision === "main" ? "main" : decision === "accepted" && !debug ? "alternative" : "discard";
    return { variant, variant_solution, reason, branch, next: nextOf({ number, variant }, { variant_solution, branch, feature }) };
  });
  const of = (solution: Solution) => decisions.filter(({ variant_solution }) => variant_solution === solution);
  const kept = new Set([...of("main"), ...of("alternative")].map(({ branch }) => branch));
  const main = of("main")[0]!;
  return {
    changes: [
      ...Object.entries(given)
        .filter(([, { reason }]) => reason)
        .map(([variant, { decision, reason }]): Change => {
          const remark = variants.some((each) => each.variant === variant) ? (decision ?? "") : "which no longer exists";
          return { change: "say", concerns: `variant ${formatSubjectId({ number, variant })} (${remark})`, text: reason };
        }),
      ...decisions.map(({ variant, variant_solution }): Change => {
        return { change: "set_prompt", prompt: { number, variant }, keys: { variant_solution } };
      }),
      // A branch that a variant which stays works on as well is not its own to discard.
      ...of("discard").map(({ variant, branch }): Change => {
        return { change: "discard_branch", prompt: { number, variant }, branch: kept.has(branch) || branch === feature ? null : branch };
      }),
    ],
    result: { decisions, unmerged_alternatives: of("alternative").flatMap(({ branch }) => branch ?? []) },
    proceed: true,
    summary: `The person chose variant ${main.variant} of prompt ${number}${listed(", kept", of("alternative"))}${listed(", rejected", of("discard"))}.`,
    next: main.next,
  };
}

const listed = (word: string, decisions: Decided[]) =>
  decisions.length ? `${word} ${decisions.map(({ variant }) => variant).join(", ")}` : "";

function nextOf(
  id: SubjectId,
  { variant_solution, branch, feature }: { variant_solution: Solution; branch: string | null; feature: string },
) {
  if (variant_solution === "main")
    return `Merge ${branch ?? "this variant"} into ${feature}, then envoy plan set-prompt-status ${spokenSubjectId(id)} --status merged.`;
  if (variant_solution === "alternative") return "Stop here: branch and worktree stay as they are, unmerged.";
  return "Stop here: this variant is not used. Where its work is now: restore_commands, or problems where it could not be moved.";
}

/** What became of the branches and worktrees of rejected variants, and what a merge of those that stay would leave out. */
export async function reportVariants(
  result: GateResult,
  outcomes: readonly Outcome[],
  { house }: { house: House },
): Promise<Record<string, unknown>> {
  const kept = (result["decisions"] as Decided[]).filter(({ variant_solution }) => variant_solution !== "discard");
  return {
    uncommitted_work: await uncommittedIn(
      house.project,
      kept.flatMap(({ branch }) => branch ?? []),
    ),
    archived_branches: outcomes.flatMap(({ archived }) => archived ?? []),
    restore_commands: outcomes.flatMap(({ restore }) => restore ?? []),
    trash: outcomes.flatMap(({ trash }) => trash ?? []),
  };
}

/** Each caller gets its own part of the one decision. */
export function viewOf(result: GateResult, { number, variant }: SubjectId): Record<string, unknown> {
  const { decisions, ...shared } = result;
  const own = (decisions as Decided[]).find((each) => each.variant === variant);
  if (!own) {
    const next = `Run envoy plan block-prompt-variants-gate ${spokenSubjectId({ number, variant })} again: this answer came before it.`;
    return { ...shared, proceed: false, next };
  }
  const { variant_solution, reason, branch, next } = own;
  const dirty = (result["uncommitted_work"] as Uncommitted[] | undefined)?.find((each) => each.branch === branch);
  const first = dirty ? `${dirty.worktree} holds work that no commit has: commit it first. ` : "";
  return { ...shared, variant_solution, reason, proceed: variant_solution === "main", next: first + next };
}
