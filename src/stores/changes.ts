// What an answer changes, as data: a change names subjects, never paths, and making it twice is making it once.
import type { SubjectId } from "../../schemas/names.ts";
import type { PromptFrontMatter } from "../../schemas/plan.ts";
import type { DiscardPlan } from "../system/git-discard.ts";
import type { ArchivedFindings } from "./findings-archive.ts";
import type { ApproachChange } from "./findings-changes.ts";
import type { Plan } from "./plans.ts";
import type { Project } from "./project.ts";

export type Change =
  /** One entry of the audit trail. `concerns` goes into its heading. */
  | { change: "say"; concerns: string; text: string }
  | { change: "edit_approaches"; specialist: string; approaches: ApproachChange[] }
  /** `files` is found out before the journal is written. */
  | { change: "archive_findings"; specialists: string[]; files?: ArchivedFindings[] }
  | { change: "set_prompt"; prompt: SubjectId; keys: Partial<Pick<PromptFrontMatter, "status" | "variant_solution" | "in_progress">> }
  /** `plan` is found out before the journal is written. Without a branch of its own there is nothing to discard. */
  | { change: "discard_branch"; prompt: SubjectId; branch: string | null; plan?: DiscardPlan }
  /** One fact more in the history of a task or of its rounds. */
  | { change: "record"; stream: { kind: "task" | "round"; id: string }; fact: { type: string; [field: string]: unknown } };

/** What a change turned out to be; stays undefined where there is nothing to tell. */
export type Outcome = { problems?: string[]; [detail: string]: unknown };

export interface ChangeContext {
  project: Project;
  /** Gates that belong to no plan change none. */
  plan?: Plan;
  gateId: string;
  key: string;
  at: Date;
  /** Nothing of it can have been done before. */
  first?: boolean;
}

/** Everything that must be known before the first change is made, so that a crash between two steps can be mended. */
export async function prepareChanges(changes: readonly Change[], context: ChangeContext): Promise<Change[]> {
  return Promise.all(
    changes.map(async (change) => {
      if (change.change === "archive_findings" && context.plan) {
        const { prepareArchive } = await import("./findings-archive.ts");
        return { ...change, files: await prepareArchive(context.plan, change.specialists) };
      }
      if (change.change !== "discard_branch") return change;
      const { prepareDiscard } = await import("./discard.ts");
      return prepareDiscard(change, context);
    }),
  );
}

/** Makes one change; all consecutive entries of the trail are one. */
export async function makeChange(changes: readonly Change[], index: number, context: ChangeContext): Promise<Outcome | undefined> {
  const change = changes[index]!;
  if (change.change === "record") {
    const { recordOnce } = await import("./record-once.ts");
    return recordOnce(context.project, change, `${context.gateId}-${index + 1}`);
  }
  const { plan } = context;
  if (!plan) throw new Error(`gate ${context.gateId} belongs to no plan and cannot ${change.change}`);
  switch (change.change) {
    case "say": {
      if (changes[index - 1]?.change === "say") return undefined;
      const { appendUserInputs } = await import("./user-input.ts");
      const end = changes.findIndex((other, i) => i > index && other.change !== "say");
      const said = changes.slice(index, end < 0 ? undefined : end) as Extract<Change, { change: "say" }>[];
      const entry = (each: (typeof said)[number], i: number) => ({
        id: `${context.gateId}-${index + i + 1}`,
        at: context.at,
        source: `${context.key} · ${each.concerns}`,
        text: each.text,
      });
      await appendUserInputs(plan, said.map(entry), { fresh: context.first ?? false });
      return undefined;
    }
    case "edit_approaches": {
      const { changeApproaches } = await import("./findings-changes.ts");
      return changeApproaches(plan, change.specialist, change.approaches);
    }
    case "archive_findings": {
      const { archiveFindings } = await import("./findings-archive.ts");
      return archiveFindings(plan, change.files ?? []);
    }
    case "set_prompt": {
      const { setPrompt } = await import("./prompt-changes.ts");
      return setPrompt(plan, change.prompt, { ...change.keys, ...(change.keys.status === "tested" ? { tested_by: context.gateId } : {}) });
    }
    case "discard_branch": {
      const { discard } = await import("./discard.ts");
      return discard(change, context);
    }
  }
}
