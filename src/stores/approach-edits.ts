// What changes in a findings file when its approaches do: as little as possible, so that comments and unknown keys stay.
import { isDeepStrictEqual } from "node:util";
import { type SubjectId, formatSubjectId } from "../../schemas/names.ts";
import type { Approach } from "../../schemas/plan.ts";
import type { YamlEdit } from "../system/yaml/edit.ts";

export const approachId = (approach: Approach): SubjectId => ({ number: approach.number, variant: approach.variant ?? null });

const keyOf = (approach: Approach) => formatSubjectId(approachId(approach));
const positions = (approaches: Approach[]) => new Map(approaches.map((approach, i) => [keyOf(approach), i]));
const isEmpty = (value: unknown) => value === undefined || value === null || value === "" || isDeepStrictEqual(value, []);

/** Adds the approach, or changes what is different of it. */
export function setApproach(old: Approach[], approach: Approach): YamlEdit[] {
  return old.length === 0 ? [{ path: ["approaches"], value: [approach] }] : setAt(old, positions(old).get(keyOf(approach)), approach);
}

function setAt(old: Approach[], index: number | undefined, approach: Approach): YamlEdit[] {
  if (index === undefined) return [{ path: ["approaches", old.length], value: approach }];
  const before = old[index]!;
  return Object.entries(approach)
    .filter(([key, value]) => !isDeepStrictEqual(before[key], value) && !(isEmpty(before[key]) && isEmpty(value)))
    .map(([key, value]) => ({ path: ["approaches", index, key], value }));
}

export function removeApproach(old: Approach[], id: SubjectId): YamlEdit[] {
  if (old.length === 1) return [{ path: ["approaches"], value: [] }];
  return [{ path: ["approaches", positions(old).get(formatSubjectId(id))!], value: undefined }];
}

/** Those that are there already stay in their place, unless the order was changed; a person's answers stay in any case. */
export function replaceApproaches(old: Approach[], given: Approach[]): YamlEdit[] {
  const places = positions(old);
  const wanted = given.map((approach) => {
    const answers = old[places.get(keyOf(approach)) ?? -1]?.user_addressed_questions;
    return answers ? { user_addressed_questions: answers, ...approach } : approach;
  });
  const ids = wanted.map(keyOf);
  const stays = new Set(ids);
  const kept = old.map(keyOf).filter((id) => stays.has(id));
  if (kept.length === 0 || kept.some((id, i) => ids[i] !== id)) return [{ path: ["approaches"], value: wanted }];
  const removals = old.flatMap((approach, i) => (stays.has(keyOf(approach)) ? [] : [{ path: ["approaches", i], value: undefined }]));
  return [...wanted.flatMap((approach) => setAt(old, places.get(keyOf(approach)), approach)), ...removals];
}
