import { align, isSingle } from "./align.ts";
import type { FormDescription, WrittenForm } from "./description.ts";
import { findDone } from "./done-line.ts";
import { formWords } from "./form-words.ts";
import { pathText } from "./key-lines.ts";
import { type FormLayout, doneIndex, layoutOf } from "./layout.ts";
import { readByLines } from "./line-reader.ts";
import { composeMerged } from "./merge-text.ts";
import { mergeDescriptions, pathName } from "./merge-description.ts";
import { segmentsOf } from "./segments.ts";
import { type HandedBack, type Settled, settle } from "./settle.ts";
import { type FormIdentity, writeForm } from "./write.ts";

export interface Merging extends FormIdentity {
  /** The form as it would be written now. */
  next: FormDescription;
  handedBack?: HandedBack;
}

/** Fields named as `pathText` prints them: in the merged form, but for those dropped. */
export interface MergedForm {
  form: WrittenForm;
  text: string;
  added: string[];
  dropped: string[];
  /** Their subject is gone, and they hold text. */
  kept: string[];
  /** What is said about them changed since the person saw it. */
  changed: string[];
}

/**
 * A begun form, brought up to its subjects: entries come and go, comments follow what they tell of, and every other byte
 * is the person's as before. Undefined when the text has no certain reading; it has to be handed back first.
 */
export function mergeForm(form: WrittenForm, text: string, { next, gateId, handedBack }: Merging): MergedForm | undefined {
  const unchanged = { text, added: [], dropped: [], kept: [], changed: [] };
  if (writeForm(next, { gateId }) === form.written) return { ...unchanged, form: { description: next, written: form.written } };

  const settled = settle(form, text, handedBack);
  if (!settled) return undefined;
  const segments = segmentsOf(settled);
  const touched = new Set<string>();
  settled.layout.keys.forEach(({ path }, k) => {
    if (!segments.keys[k]!.untouched) path.forEach((_, i) => touched.add(pathName(path.slice(0, i + 1))));
  });
  const merged = mergeDescriptions(form.description, next, (path) => touched.has(pathName(path)));
  if (!merged) return undefined;
  const { description, origin } = merged;
  const mergedForm = { description, written: writeForm(description, { gateId }) };
  const paths = { added: merged.added.map(pathText), dropped: merged.dropped.map(pathText), kept: merged.kept.map(pathText) };
  if (mergedForm.written === form.written) return { ...unchanged, ...paths, form: mergedForm };

  const layout = layoutOf(mergedForm);
  const from = formerKeys(layout, settled.layout, origin);
  const composed = composeMerged(settled, { segments, layout, from });
  if (!composed || !readsAlike(settled, { layout, from, ...composed })) return undefined;
  const changed = composed.changed.map((j) => pathText(layout.keys[j]!.path));
  return { form: mergedForm, text: composed.text, ...paths, changed };
}

/** For each key of the merged form its index before, -1 for a new one. */
function formerKeys({ keys }: FormLayout, former: FormLayout, origin: ReadonlyMap<string, string>): number[] {
  const index = new Map(former.keys.map(({ path }, k) => [pathName(path), k]));
  return keys.map(({ path, field }) => (field === "done" ? doneIndex(former) : (index.get(origin.get(pathName(path)) ?? "") ?? -1)));
}

/** New lines can give old text another meaning, such as a text that holds the name of a new entry. Then nothing is merged. */
function readsAlike(
  settled: Settled,
  { layout, from, lines, at }: { layout: FormLayout; from: readonly number[]; lines: readonly string[]; at: readonly number[] },
): boolean {
  const done = findDone(layout, lines);
  const alignment = align(layout, lines, done.line);
  if (done.said !== settled.done.said || !isSingle(alignment) || alignment.at.some((line, j) => line !== at[j])) return false;
  const { typed } = readByLines(layout, { lines, knownMarks: settled.knownMarks, words: formWords(layout) }, at);
  return from.every((k, j) => k < 0 || typed[j]?.text === settled.reading.typed[k]?.text);
}
