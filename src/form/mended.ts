import { align, isSingle } from "./align.ts";
import { compareReadings } from "./agree.ts";
import { pathText } from "./key-lines.ts";
import { doneIndex } from "./layout.ts";
import type { Gap } from "./line-gaps.ts";
import { readByLines } from "./line-reader.ts";
import { fillForm, filledLines } from "./mend.ts";
import { type Mark, NO_MARKS } from "./marks.ts";
import type { FormOutcome } from "./outcome.ts";
import { type Problem, SAYS } from "./problem.ts";
import type { Saved } from "./saved.ts";
import { isBlank, usualEnding } from "./source-lines.ts";
import { readAsYaml } from "./yaml-reader.ts";

interface OneReading {
  texts: readonly (string | undefined)[];
  /** Values that their fields do not take. */
  wrong: readonly Pick<Problem, "key" | "message">[];
  at: readonly number[];
  gaps: readonly Gap[];
  ended: boolean;
  /** What is wrong with `done`, if anything. */
  unclear: string | undefined;
}

/**
 * The form with every text in its place, to be confirmed. Undefined when the result would not itself be read as
 * exactly these texts: then nothing is offered.
 */
export function mended(saved: Saved, reading: OneReading): FormOutcome | undefined {
  const { layout } = saved;
  const { texts, wrong, ended, unclear } = reading;
  if (!readsBack(saved, texts)) return undefined;
  const told = new Map(wrong.map(({ key, message }) => [key, [message]]));
  const moved = layout.keys.flatMap((_, k) => (texts[k] && !standsAlready(saved, reading, k) ? [k] : []));
  for (const k of moved) if (!told.has(k)) told.set(k, [SAYS.readLikeThis]);
  told.set(doneIndex(layout), [...(unclear === undefined ? [] : [unclear]), !ended && !moved.length ? SAYS.confirmEnd : SAYS.confirm]);
  return { kind: "mended", ...fillWithMarks(saved, texts, told) };
}

/** The whole form set anew with these texts and the marks told above each key. */
export function fillWithMarks(
  { layout, source }: Saved,
  texts: readonly (string | undefined)[],
  told: ReadonlyMap<number, readonly string[]>,
): { text: string; marks: Mark[] } {
  const { lines, at } = fillForm(layout, { texts, marks: told });
  const marks = [...told]
    .flatMap(([k, messages]) => messages.map((message) => ({ k, message })))
    .map(({ k, message }) => ({ line: at[k]! + 1, column: layout.keys[k]!.indent + 1, path: pathText(layout.keys[k]!.path), message }))
    .sort((a, b) => a.line - b.line);
  const ending = usualEnding(source);
  return { text: source.bom + lines.map((line) => line + ending).join(""), marks };
}

function readsBack(saved: Saved, texts: readonly (string | undefined)[]): boolean {
  const { layout, maxBytes, words } = saved;
  const { lines, at } = fillForm(layout, { texts, done: true });
  const alignment = align(layout, lines, at.at(-1)!);
  if (!isSingle(alignment)) return false;
  const reading = readByLines(layout, { lines, knownMarks: NO_MARKS, words }, alignment.at);
  if (reading.problems.length) return false;
  const again = compareReadings(layout, reading.typed, readAsYaml(layout, lines.join("\n"), maxBytes));
  return (
    again.agree && layout.keys.every(({ field }, k) => field === "done" || field.kind !== "text" || again.texts[k] === (texts[k] ?? ""))
  );
}

/** A field whose lines are the same before and after needs no mark. */
function standsAlready({ layout, source }: Saved, { texts, at, gaps }: OneReading, k: number): boolean {
  const own = [source.lines[at[k]!]!, ...gaps[k + 1]!.text.map(({ text }) => text)];
  return filled(own) === filled(filledLines(layout, k, texts[k]!));
}

const filled = (lines: readonly string[]): string => lines.slice(0, lines.findLastIndex((line) => !isBlank(line)) + 1).join("\n");
