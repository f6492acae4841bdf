import { nearestName } from "../system/nearest-name.ts";
import { isFixedText } from "./agree.ts";
import { breachesAt } from "./breaches.ts";
import { handBack } from "./hand-back.ts";
import { doneIndex } from "./layout.ts";
import type { FormOutcome } from "./outcome.ts";
import { type Problem, SAYS } from "./problem.ts";
import type { Saved } from "./saved.ts";
import { headOf } from "./align.ts";
import { finishing } from "./spoken-words.ts";
import { trimText } from "./typed-text.ts";
import { toValues } from "./values.ts";
import { type YamlValue, readAsYaml } from "./yaml-reader.ts";

/**
 * A script replaced the whole file and left no comment: YAML alone counts, and every field must be there.
 * Undefined where that is not so, because a person's `see PR #12` may hide in what YAML takes for a comment.
 */
export function readScripted(saved: Saved): FormOutcome | undefined {
  const { layout, source, settled, maxBytes, form } = saved;
  const yaml = readAsYaml(layout, source.lines.join("\n"), maxBytes);
  if (!yaml.ok || yaml.commented) return undefined;
  const done = yaml.values[doneIndex(layout)];
  if (!done || !("text" in done)) return undefined;
  if (finishing(done.text) === "not yet") return { kind: "waiting" };
  if (!settled) return { kind: "unsettled" };

  const problems: Problem[] = yaml.unknown.map(({ key, siblings }) => ({
    line: lineOf(saved, key),
    column: 1,
    key: doneIndex(layout),
    message: SAYS.unknownKey(key, nearestName(key, siblings)),
  }));
  if (finishing(done.text) === "unclear") problems.push(problem(saved, doneIndex(layout), SAYS.doneUnclear(done.text)));
  const texts = layout.keys.map((key, k) => {
    const value = yaml.values[k];
    if (key.field === "done" || value === undefined) return undefined;
    if (!("text" in value))
      problems.push(problem(saved, k, value.style === "missing" ? SAYS.missingStill(`${key.key}:`) : SAYS.textExpected));
    else if (key.field.kind === "fixed" && !isFixedText(value, key.field.text))
      problems.push(problem(saved, k, SAYS.changedFixed(key.field.text)));
    return scriptedText(value);
  });
  const { values, problems: wrong } = toValues(form.description, layout, texts);
  if (!problems.length)
    problems.push(...(wrong.length ? wrong : breachesAt(layout, saved.check(values))).map((p) => problem(saved, p.key, p.message)));
  return problems.length ? refused(saved, problems) : { kind: "accepted", values };
}

/** To a program, null is no text; a person who types "null" has the form's comments around it. */
export function scriptedText(value: YamlValue): string {
  if (!("text" in value)) return "";
  return value.style === "plain" && /^(null|~)$/i.test(value.text) ? "" : trimText(value.text);
}

const problem = (saved: Saved, k: number, message: string): Problem => ({
  line: lineOf(saved, saved.layout.keys[k]!.key),
  column: 1,
  key: k,
  message,
});

function lineOf({ source }: Saved, key: string): number {
  return Math.max(
    0,
    source.lines.findIndex((line) => headOf(line)?.key === key),
  );
}

function refused(saved: Saved, problems: Problem[]): FormOutcome {
  const { layout, source, isMark, done } = saved;
  const at = layout.keys.map(() => -1);
  at[doneIndex(layout)] = 0;
  return { kind: "refused", ...handBack(layout, { source, at, done, isMark, problems }) };
}
