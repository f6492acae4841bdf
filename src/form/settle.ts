import { align, isSingle } from "./align.ts";
import { type DoneWord, findDone } from "./done-line.ts";
import { formWords } from "./form-words.ts";
import type { WrittenForm } from "./description.ts";
import { type FormLayout, doneIndex, layoutOf } from "./layout.ts";
import { type LineReading, readByLines } from "./line-reader.ts";
import { type KnownMarks, marksOf } from "./marks.ts";
import { fillForm } from "./mend.ts";
import { scriptedText } from "./scripted.ts";
import { finishing } from "./spoken-words.ts";
import { type SourceLines, splitSource, trimmed, usualEnding } from "./source-lines.ts";
import { largestForm } from "./too-large.ts";
import { readAsYaml } from "./yaml-reader.ts";

/** What was handed back so far, newest last: only the marks in it are envoy's. */
export type HandedBack = string | readonly string[];

/** A saved text whose key lines stand where envoy wrote them, ready to be written into. */
export interface Settled {
  layout: FormLayout;
  source: SourceLines;
  knownMarks: KnownMarks;
  done: DoneWord;
  /** Line of each key. */
  at: readonly number[];
  reading: LineReading;
}

/**
 * The text as it is, if its key lines are all there once. Only a form that was indented anew or rewritten by a script
 * is set in envoy's own lines first: nothing can be put between lines that envoy did not write. Undefined without
 * one certain reading.
 */
export function settle(form: WrittenForm, text: string, handedBack: HandedBack = []): Settled | undefined {
  if (text.length > largestForm(form.written)) return undefined;
  const layout = layoutOf(form);
  const knownMarks = marksOf([handedBack].flat());
  const source = splitSource(text);
  const done = findDone(layout, source.lines);
  const texts = scriptedTexts(layout, source) ?? relaxedTexts(layout, { source, done, knownMarks });
  if (texts) return reset({ layout, source, knownMarks, done, texts });
  const alignment = align(layout, source.lines, done.line);
  if (!isSingle(alignment) || alignment.relaxed) return undefined;
  return { layout, source, knownMarks, done, at: alignment.at, reading: read(layout, source.lines, { knownMarks, at: alignment.at }) };
}

type Texts = (string | undefined)[];
type Begun = Pick<Settled, "layout" | "source" | "knownMarks" | "done">;

const read = (layout: FormLayout, lines: readonly string[], { knownMarks, at }: Pick<Settled, "knownMarks" | "at">): LineReading =>
  readByLines(layout, { lines, knownMarks, words: formWords(layout) }, at);

function scriptedTexts(layout: FormLayout, { lines }: SourceLines): Texts | undefined {
  if (lines.some((line) => layout.known.has(trimmed(line)))) return undefined;
  const yaml = readAsYaml(layout, lines.join("\n"), Infinity);
  if (!yaml.ok || yaml.commented || yaml.unknown.length) return undefined;
  if (yaml.values.some((value) => value && !("text" in value))) return undefined;
  return yaml.values.map((value) => value && scriptedText(value));
}

function relaxedTexts(layout: FormLayout, { source, done, knownMarks }: Omit<Begun, "layout">): Texts | undefined {
  const alignment = align(layout, source.lines, done.line);
  if (!isSingle(alignment) || !alignment.relaxed) return undefined;
  const { typed, problems } = read(layout, source.lines, { knownMarks, at: alignment.at });
  return problems.length ? undefined : typed.map((own) => own?.text);
}

function reset({ layout, source, knownMarks, done, texts }: Begun & { texts: Texts }): Settled | undefined {
  const scripted = texts[doneIndex(layout)];
  const said = scripted === undefined ? done.said : finishing(scripted);
  if (said === "unclear") return undefined;
  const { lines, at } = fillForm(layout, { texts, done: said === "finished" });
  const ending = usualEnding(source);
  const reading = read(layout, lines, { knownMarks, at });
  const same = layout.keys.every(
    ({ field }, k) => field === "done" || field.kind !== "text" || reading.typed[k]!.text === (texts[k] ?? ""),
  );
  if (reading.problems.length || !same) return undefined;
  const set = { bom: source.bom, lines, endings: lines.map(() => ending) };
  return { layout, source: set, knownMarks, done: findDone(layout, lines), at, reading };
}
