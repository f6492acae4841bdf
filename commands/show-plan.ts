// What read commands show of findings and prompts.
import { formatSubjectId } from "../schemas/names.ts";
import type { Approach } from "../schemas/plan.ts";
import { approachId } from "../src/stores/approach-edits.ts";
import type { Prompt } from "../src/stores/prompts.ts";

/** Open questions are for the person at the gate: no read command hands them to an agent. */
export function showApproach({ required_clarifying_questions: _open, ...approach }: Approach): object {
  return { approach_id: formatSubjectId(approachId(approach)), ...approach };
}

export function summariseApproach(approach: Approach): object {
  const { description, relevant_files, user_requested_changes, user_addressed_questions } = approach;
  return {
    approach_id: formatSubjectId(approachId(approach)),
    description,
    relevant_files,
    user_requested_changes,
    user_addressed_questions,
  };
}

export function showPrompt({ id, front, body, file }: Prompt): object {
  return { prompt_id: formatSubjectId(id), ...front, context: body.trim(), file };
}

export function summarisePrompt({ id, front }: Prompt): object {
  const { description, kind, status, in_progress, depends_on, requires_manual_testing, worktree_branch_name, variant_solution } = front;
  return {
    prompt_id: formatSubjectId(id),
    description,
    kind,
    status,
    in_progress,
    depends_on,
    requires_manual_testing,
    worktree_branch_name,
    variant_solution,
  };
}
