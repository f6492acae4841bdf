// What a person's words about the findings come to.
import type { infer as Infer } from "zod";
import type { FindingsGate } from "../../schemas/gates.ts";
import { type SubjectId, formatSubjectId } from "../../schemas/names.ts";
import type { Decision } from "../../src/gate/gate.ts";
import type { Change } from "../../src/stores/changes.ts";

/** An approach as the form shows it. */
export interface Shown {
  key: string;
  specialist: string;
  approach: SubjectId;
  description: string;
  questions: string[];
}

/** No two approaches share a key: a specialist has no capital letters, a number no underscore. */
export const approachKey = (specialist: string, approach: SubjectId): string => `${specialist}_${formatSubjectId(approach)}`;

type Answers = Infer<(typeof FindingsGate)["answers"]>;
interface Judged extends Shown {
  changes: string;
  rejected: boolean;
  answered: Answered[];
  /** Answers to what is asked no longer. */
  outdated: Answered[];
}
interface Answered {
  question: string;
  answer: string;
}

export function decideFindings({ approach_feedback }: Answers, shown: readonly Shown[]): Decision {
  const said = new Map(Object.entries(approach_feedback).map(([key, feedback]) => [key, wordsOf(feedback)]));
  const judged = shown.map((each): Judged => {
    const words = said.get(each.key) ?? NOTHING;
    const isAsked = ({ question }: Answered) => each.questions.includes(question);
    const outdated = words.answered.filter((one) => !isAsked(one));
    return { ...each, ...words, answered: words.answered.filter(isAsked), outdated };
  });
  const known = new Set(shown.map(({ key }) => key));
  const gone = [...said].filter(([key, words]) => !known.has(key) && hasText(words));
  const rejected = judged.filter((each) => each.rejected);
  const affected = judged.filter((each) => !each.rejected && hasText(each));
  const changed = affected.some(({ changes }) => changes) || gone.some(([, { changes }]) => changes);
  return {
    changes: [
      ...judged.flatMap((each) => sayings(each.key, each, each.rejected ? " (rejected)" : "")),
      ...judged.flatMap((each) => sayings(each.key, { changes: "", answered: each.outdated }, " (which is asked no longer)")),
      ...gone.flatMap(([key, words]) => sayings(key, words, " (which no longer exists)")),
      ...[...new Set([...affected, ...rejected].map(({ specialist }) => specialist))].map((specialist): Change => ({
        change: "edit_approaches",
        specialist,
        approaches: judged.filter((each) => each.specialist === specialist && (each.rejected || hasText(each))).map(editOf),
      })),
    ],
    result: { affected_approaches: affected.map(nameOf), rejected_approaches: rejected.map(nameOf) },
    proceed: !changed,
    summary: summaryOf({ changed, affected: affected.length, rejected: rejected.length }),
    next: nextOf(changed, affected.length > 0),
  };
}

const NOTHING: Words = { changes: "", rejected: false, answered: [] };
const wordsOf = ({ user_required_changes, rejected, question_answers }: Answers["approach_feedback"][string]) => ({
  changes: user_required_changes,
  rejected: rejected === true,
  answered: (question_answers ?? []).filter(({ answer }) => answer !== ""),
});
type Words = ReturnType<typeof wordsOf>;

const hasText = ({ changes, answered }: Words): boolean => changes !== "" || answered.length > 0;
const nameOf = ({ specialist, approach }: Shown) => ({ specialist_name: specialist, approach_id: formatSubjectId(approach) });

function sayings(key: string, { changes, answered }: Pick<Words, "changes" | "answered">, remark: string): Change[] {
  return [
    ...(changes ? [{ change: "say" as const, concerns: `changes to ${key}${remark}`, text: changes }] : []),
    ...answered.map(({ question, answer }) => ({
      change: "say" as const,
      concerns: `a question of ${key}${remark}`,
      text: `${question}\n\n${answer}`,
    })),
  ];
}

const editOf = ({ approach, rejected, changes, answered }: Judged) =>
  rejected ? { approach, reject: true } : { approach, user_requested_changes: changes, answered_questions: answered };

function summaryOf({ changed, affected, rejected }: { changed: boolean; affected: number; rejected: number }): string {
  const dropped = rejected ? ` ${rejected === 1 ? "One variant was" : `${rejected} variants were`} rejected.` : "";
  if (changed) return `The person asks for changes to the findings.${dropped}`;
  return `The person accepted the findings${affected ? " and answered questions" : ""}.${dropped}`;
}

function nextOf(changed: boolean, affected: boolean): string {
  const look = "envoy plan get-finding-approach shows each of affected_approaches with what was said";
  if (changed) return `${look}; rework them (write-approach), then run envoy plan block-findings-gate again.`;
  return affected
    ? `${look}; take the answers into account and write the plan (write-plan, write-prompt).`
    : "Write the plan: envoy plan write-plan, then envoy plan write-prompt for each piece of work.";
}
