// What a person's answer does to the approaches of one specialist. All of it in one edit of the file, and safe to repeat.
import { type SubjectId, formatSubjectId } from "../../schemas/names.ts";
import type { Approach } from "../../schemas/plan.ts";
import type { YamlEdit } from "../system/yaml/edit.ts";
import type { Outcome } from "./changes.ts";
import { approachId } from "./approach-edits.ts";
import { editFindings } from "./findings.ts";
import type { Plan } from "./plans.ts";

export interface ApproachChange {
  approach: SubjectId;
  reject?: boolean;
  user_requested_changes?: string;
  answered_questions?: { question: string; answer: string }[];
}

export async function changeApproaches(plan: Plan, specialist: string, changes: ApproachChange[]): Promise<Outcome | undefined> {
  return editFindings(plan, specialist, ({ findings }) => {
    const approaches = findings.approaches ?? [];
    const indexOf = new Map(approaches.map((approach, index) => [formatSubjectId(approachId(approach)), index]));
    const gone: string[] = [];
    const edits = changes.flatMap((change): YamlEdit[] => {
      const index = indexOf.get(formatSubjectId(change.approach));
      if (index !== undefined) return editsOf(change, approaches[index]!, index);
      if (!change.reject) gone.push(formatSubjectId(change.approach));
      return [];
    });
    const problems = gone.map((id) => `${specialist} has no approach ${id} any more; what was said about it is in user_input.md.`);
    return { edits, result: problems.length ? { problems } : undefined };
  });
}

function editsOf(change: ApproachChange, approach: Approach, index: number): YamlEdit[] {
  const at = (key: string) => ["approaches", index, key];
  if (change.reject) return [{ path: ["approaches", index], value: undefined }];
  const edits: YamlEdit[] = [];
  if (change.user_requested_changes) edits.push({ path: at("user_requested_changes"), value: change.user_requested_changes });
  const answered = change.answered_questions ?? [];
  if (!answered.length) return edits;
  const questions = new Set(answered.map(({ question }) => question));
  const earlier = (approach.user_addressed_questions ?? []).filter(({ question }) => !questions.has(question));
  const open = (approach.required_clarifying_questions ?? []).filter(({ question }) => !questions.has(question));
  edits.push({ path: at("required_clarifying_questions"), value: open });
  edits.push({ path: at("user_addressed_questions"), value: [...earlier, ...answered] });
  return edits;
}
