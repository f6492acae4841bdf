import { nearestName } from "../system/nearest-name.ts";
import { isFixedText } from "./agree.ts";
import { headOf } from "./align.ts";
import { breachesAt } from "./breaches.ts";
import { handBack } from "./hand-back.ts";
import { doneIndex } from "./layout.ts";
import { fillWithMarks } from "./mended.ts";
import type { FormOutcome } from "./outcome.ts";
import { type Problem, SAYS } from "./problem.ts";
import type { Saved } from "./saved.ts";
import { finishing } from "./spoken-words.ts";
import { trimText } from "./typed-text.ts";
import { toValues } from "./values.ts";
import { type YamlReading, type YamlValue, readAsYaml } from "./yaml-reader.ts";

type Told = Omit<Problem, "line" | "column">;

/**
 * A script replaced the whole file and left no comment: YAML alone counts, and every field must be there.
 * Undefined where that is not so, because a person's `see PR #12` may hide in what YAML takes for a comment.
 */
export function readScripted(saved: Saved): FormOutcome | undefined {
  const { layout, source, settled, maxBytes, form, knownMarks } = saved;
  const yaml = readAsYaml(layout, source.lines.filter((line) => !knownMarks.has(line.trim())).join("\n"), maxBytes);
  if (!yaml.ok || yaml.commented) return undefined;
  const done = yaml.values[doneIndex(layout)];
  if (!done || !("text" in done)) return undefined;
  if (finishing(done.text) === "not yet") return { kind: "waiting" };
  if (!settled) return { kind: "unsettled" };

  const texts = yaml.values.map(scriptedText);
  const strange = strangeParts(saved, yaml, done.text);
  if (strange.length) return refused(saved, strange);
  const missing = layout.keys.flatMap((_, key) => (yaml.values[key]?.style === "missing" ? [{ key, message: SAYS.answerMissing }] : []));
  if (missing.length) return { kind: "refused", ...fillWithMarks(saved, texts, grouped(missing)) };
  const { values, problems } = toValues(form.description, layout, texts);
  const broken = problems.length ? problems : breachesAt(layout, saved.check(values));
  return broken.length ? refused(saved, broken) : { kind: "accepted", values };
}

/** What could not be kept if the form were set anew: it is named, and the saved bytes stay. */
function strangeParts({ layout }: Saved, yaml: YamlReading, done: string): Told[] {
  const end = doneIndex(layout);
  const told = yaml.unknown.map(({ key, siblings }) => ({
    key: end,
    message: SAYS.unknownKey(key, nearestName(key, siblings)),
    named: key,
  }));
  if (finishing(done) === "unclear") told.push({ key: end, message: SAYS.doneUnclear(done), named: "done" });
  layout.keys.forEach(({ field, key: named }, key) => {
    const value = yaml.values[key];
    if (field === "done" || value === undefined || value.style === "missing") return;
    if (value.style === "collection") told.push({ key, message: SAYS.textExpected, named });
    else if (field.kind === "fixed" && !isFixedText(value, field.text)) told.push({ key, message: SAYS.changedFixed(field.text), named });
  });
  return told;
}

/** To a program, null is no text; a person who types "null" has the form's comments around it. */
export function scriptedText(value: YamlValue | undefined): string | undefined {
  if (!value || !("text" in value)) return undefined;
  return value.style === "plain" && /^(null|~)$/i.test(value.text) ? "" : trimText(value.text);
}

const grouped = (told: readonly Told[]): Map<number, string[]> => new Map(told.map(({ key, message }) => [key, [message]]));

/** The lines are not the form's own, so the marks stand at the top, each naming its line. */
function refused({ layout, source, knownMarks, done }: Saved, told: readonly (Told & { named?: string })[]): FormOutcome {
  const firstLine = new Map<string, number>();
  source.lines.forEach((line, i) => {
    const key = headOf(line)?.key;
    if (key !== undefined && !firstLine.has(key)) firstLine.set(key, i);
  });
  const problems = told.map(({ key, message, named }) => ({
    line: firstLine.get(named ?? layout.keys[key]!.key) ?? 0,
    column: 1,
    key,
    message,
  }));
  const at = layout.keys.map(() => -1);
  at[doneIndex(layout)] = 0;
  return { kind: "refused", ...handBack(layout, { source, at, done, knownMarks, problems }) };
}
