import { type Alignment, align, isSingle } from "./align.ts";
import { compareReadings } from "./agree.ts";
import { changedComment } from "./changed-comment.ts";
import type { FormDescription, ValuesOf, WrittenForm } from "./description.ts";
import { findDone } from "./done-line.ts";
import { formWords } from "./form-words.ts";
import { handBack } from "./hand-back.ts";
import { type FormLayout, doneIndex, layoutOf } from "./layout.ts";
import { type LineReading, readByLines } from "./line-reader.ts";
import { marksOf } from "./marks.ts";
import { mended } from "./mended.ts";
import { explainMisplaced } from "./misplaced.ts";
import type { FormOutcome, ReadOptions } from "./outcome.ts";
import { LONGEST_REMARK, type Problem, SAYS } from "./problem.ts";
import type { Saved } from "./saved.ts";
import { readScripted } from "./scripted.ts";
import { finishing } from "./spoken-words.ts";
import { splitSource, trimmed } from "./source-lines.ts";
import { endOf, largestForm, tooLarge } from "./too-large.ts";
import { toValues } from "./values.ts";
import { breachesAt } from "./breaches.ts";
import { readAsYaml } from "./yaml-reader.ts";

/** Reads a saved form twice, as YAML and by its known lines, and says what it means. */
export function readForm<D extends FormDescription>(
  form: WrittenForm<D>,
  text: string,
  options: ReadOptions<ValuesOf<D>> = {},
): FormOutcome<ValuesOf<D>> {
  const { settled = false, handedBack = [], check = () => [] } = options;
  const shown = typeof handedBack === "string" ? [handedBack] : handedBack;
  if (shown.includes(text)) return { kind: "waiting" };
  const maxBytes = largestForm(form.written);
  const layout = layoutOf(form);
  if (text.length > maxBytes || Buffer.byteLength(text) > maxBytes) return tooLarge(layout, text, maxBytes) as FormOutcome<ValuesOf<D>>;
  const source = splitSource(text);
  const saved: Saved = {
    form,
    layout,
    words: formWords(layout),
    source,
    knownMarks: marksOf(shown.map((own) => (own.length > maxBytes ? endOf(own) : own))),
    done: findDone(layout, source.lines),
    settled,
    maxBytes,
    check: check as Saved["check"],
  };
  return judge(saved) as FormOutcome<ValuesOf<D>>;
}

function judge(saved: Saved): FormOutcome {
  const { layout, source, done, settled } = saved;
  const lines = source.lines;
  if (done.said === "not yet") return { kind: "waiting" };
  if (!lines.some((line) => layout.known.has(trimmed(line)))) {
    const scripted = readScripted(saved);
    if (scripted) return scripted;
  }
  const ended = lines.some((line) => trimmed(line) === layout.endLine);
  if ((!ended || done.said === "missing") && !settled) return { kind: "unsettled" };

  const alignment = align(layout, lines, done.line);
  if (!isSingle(alignment)) return refuse(saved, alignment, explainMisplaced(layout, lines, alignment));
  const reading = readByLines(layout, { ...saved, lines }, alignment.at);
  const unclear = doneProblems(saved, alignment);
  return compare(saved, { alignment, reading, ended, unclear });
}

interface Readable {
  alignment: Alignment;
  reading: LineReading;
  ended: boolean;
  /** What is said about `done`, in one go with all else that is found. */
  unclear: readonly Problem[];
}

function compare(saved: Saved, { alignment, reading, ended, unclear }: Readable): FormOutcome {
  const { layout, source, maxBytes, form, done } = saved;
  const yaml = readAsYaml(layout, source.lines.with(alignment.at[doneIndex(layout)]!, "done: true").join("\n"), maxBytes);
  const { agree, texts } = compareReadings(layout, reading.typed, yaml);
  const { values, problems } = toValues(form.description, layout, texts);
  const atKeys = (told: typeof problems): Problem[] => told.map((own) => ({ ...own, line: alignment.at[own.key]! }));
  const wrong = atKeys(problems);
  if (reading.problems.length)
    return refuse(saved, alignment, { problems: [...reading.problems, ...notYetTold(wrong, reading.problems, alignment), ...unclear] });
  if (!agree || !ended) {
    // A form set anew has no room for a long remark behind `done`.
    const offered =
      done.value.length <= LONGEST_REMARK &&
      mended(saved, { texts, wrong, at: alignment.at, gaps: reading.gaps, ended, unclear: unclear[0]?.message });
    return offered || refuse(saved, alignment, { problems: [unreadable(layout, yaml.fault), ...wrong, ...unclear] });
  }
  const found = [...(wrong.length ? wrong : atKeys(breachesAt(layout, saved.check(values)))), ...unclear];
  return found.length ? refuse(saved, alignment, { problems: found }) : { kind: "accepted", values };
}

/** A value is told about unless a mark about its field's own lines says so already: one fault, one mark. */
function notYetTold(wrong: readonly Problem[], lines: readonly Problem[], { at }: Alignment): Problem[] {
  const told = new Set(lines.filter(({ key, line }) => line >= at[key]!).map(({ key }) => key));
  return wrong.filter(({ key }) => !told.has(key));
}

function refuse(
  saved: Saved,
  { at }: Alignment,
  found: { problems: Problem[]; putBack?: { key: number; before: number; withComments: boolean }[] },
): FormOutcome {
  const { layout, source, done, knownMarks } = saved;
  return { kind: "refused", ...handBack(layout, { source, at, done, knownMarks, ...withEndLine(saved, found) }) };
}

/** The end line is put back with the first hand-back that finds it gone; one that was changed is the person's to put back. */
function withEndLine<F extends { problems: Problem[] }>({ layout, source }: Saved, found: F): F & { append: string[] } {
  const ended = source.lines.some((line) => trimmed(line) === layout.endLine || changedComment([layout.endLine], trimmed(line)));
  return { ...found, append: ended ? [] : [layout.endLine] };
}

function doneProblems({ layout, done }: Saved, { at }: Alignment): Problem[] {
  if (done.said !== "unclear") return [];
  const line = at[doneIndex(layout)]!;
  const message = finishing(done.value) === "not yet" ? SAYS.doneTwice : SAYS.doneUnclear(done.value);
  return [{ line, column: 1, key: doneIndex(layout), message }];
}

function unreadable(layout: FormLayout, fault: { line: number; column: number } | undefined): Problem {
  return { line: fault?.line ?? 0, column: fault?.column ?? 1, key: doneIndex(layout), message: SAYS.unreadable };
}
