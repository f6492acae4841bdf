import { compareReadings } from "./agree.ts";
import type { WrittenForm } from "./description.ts";
import { formWords } from "./form-words.ts";
import { withDoneFalse } from "./hand-back.ts";
import { pathText } from "./key-lines.ts";
import type { FormLayout } from "./layout.ts";
import { type LineReading, readByLines } from "./line-reader.ts";
import { NO_MARKS } from "./marks.ts";
import { fillForm, filledLines } from "./mend.ts";
import { type SetProblem, pathResolver } from "./resolve-path.ts";
import { type HandedBack, type Settled, settle } from "./settle.ts";
import { chosen, isNothing, yesOrNo } from "./spoken-words.ts";
import { type Insertion, type SourceLines, isBlank, joinSource } from "./source-lines.ts";
import { trimText } from "./typed-text.ts";
import { toValues } from "./values.ts";
import { readAsYaml } from "./yaml-reader.ts";

export interface FieldSets {
  /** Paths as `pathText` prints them, or the last parts of one where they name a single field. */
  sets: readonly { path: string; value: string }[];
  /** What `done` shall say; untouched without it. */
  done?: boolean;
  handedBack?: HandedBack;
}

/** What the problems lie in: the form as it was left, a path that names no field or several, or a value that its field does not take. */
export type SetOutcome = { ok: true; text: string } | { ok: false; wrong: "form" | "field" | "value"; problems: SetProblem[] };

const UNCERTAIN = "The form as it was left cannot be read with certainty. Save it once with done: true, and the marks will say why.";
const UNREADABLE = "This text would not be read back as it is. Leave out characters that no keyboard types, or name a file instead.";

/** Writes values into a begun form as a careful person would. All or nothing; what stands in other fields keeps its bytes. */
export function setFields(form: WrittenForm, text: string, { sets, done, handedBack }: FieldSets): SetOutcome {
  const settled = settle(form, text, handedBack);
  if (!settled) return { ok: false, wrong: "form", problems: [{ path: "", message: UNCERTAIN }] };
  const { layout } = settled;
  const { texts, problems } = resolved(form, layout, sets);
  if (problems.length) return { ok: false, wrong: "field", problems };
  const refused = wrongValues(form, layout, texts);
  if (refused.length) return { ok: false, wrong: "value", problems: refused };
  const source = done === undefined ? settled.source : withDone(settled, done);
  const written = splice({ ...settled, source }, texts);
  const failed = unread(settled, settle(form, written, handedBack), texts);
  return failed.length ? { ok: false, wrong: "value", problems: failed } : { ok: true, text: written };
}

type Texts = Map<number, string>;

function resolved(form: WrittenForm, { keys }: FormLayout, sets: FieldSets["sets"]): { texts: Texts; problems: SetProblem[] } {
  const resolve = pathResolver(form.description);
  const index = new Map(keys.map(({ path }, k) => [pathText(path), k]));
  const texts: Texts = new Map();
  const problems: SetProblem[] = [];
  for (const { path, value } of sets) {
    const field = resolve(path);
    if ("message" in field) problems.push(field);
    else if (texts.has(index.get(field.path)!)) problems.push({ path, message: `"${field.path}" is set twice.` });
    else texts.set(index.get(field.path)!, trimText(value.replace(/\r\n?/g, "\n")));
  }
  return { texts, problems };
}

/** A decision that its field does not take. Texts can hold anything, also nothing yet. */
function wrongValues({ description }: WrittenForm, layout: FormLayout, texts: Texts): SetProblem[] {
  const { problems } = toValues(
    description,
    layout,
    layout.keys.map((_, k) => texts.get(k)),
  );
  return problems
    .filter(({ key }) => texts.has(key) && !isText(layout, key))
    .map(({ key, message }) => ({ path: pathText(layout.keys[key]!.path), message }));
}

function isText({ keys }: FormLayout, k: number): boolean {
  const { field } = keys[k]!;
  return field !== "done" && field.kind === "text";
}

/** A script may say Yes; the form says true, as envoy would have written it. */
function usualSpelling({ keys }: FormLayout, k: number, text: string): string {
  const { field } = keys[k]!;
  if (field === "done" || isNothing(text)) return text;
  if (field.kind === "yesno") return String(yesOrNo(text));
  return field.kind === "choice" ? chosen(text, field.choices)! : text;
}

function withDone({ source, done }: Settled, finished: boolean): SourceLines {
  const open = withDoneFalse(source, done);
  return finished ? { ...open, lines: open.lines.with(done.line, open.lines[done.line]!.replace("false", "true")) } : open;
}

/** Replaces a field's own lines. Lines that have no place there are somebody's words and stay to be told about. */
function splice({ layout, source, at, reading }: Settled, texts: Texts): string {
  const astray = new Set(reading.problems.map(({ line }) => line));
  const removed = new Set<number>();
  const insertions: Insertion[] = [];
  for (const [k, text] of [...texts].sort(([a], [b]) => a - b)) {
    const below = reading.gaps[k + 1]!.text.filter((own) => isText(layout, k) || (!isBlank(own.text) && !astray.has(own.line)));
    for (const line of [at[k]!, ...below.map((own) => own.line)]) removed.add(line);
    insertions.push({ at: at[k]!, lines: filledLines(layout, k, usualSpelling(layout, k, text)) });
  }
  const kept = (_: unknown, i: number) => !removed.has(i);
  let gone = 0;
  const position = source.lines.map((_, i) => i - (removed.has(i) ? gone++ : gone));
  return joinSource(
    { bom: source.bom, lines: source.lines.filter(kept), endings: source.endings.filter(kept) },
    insertions.map(({ at, lines }) => ({ at: position[at]!, lines })),
  );
}

/** Fields that would not be read as what was set, and those that would be read differently than before. */
function unread({ layout, reading }: Settled, again: Settled | undefined, texts: Texts): SetProblem[] {
  const alone = readAlone(layout, texts);
  return layout.keys.flatMap(({ path }, k) => {
    const expected = texts.get(k);
    const stray = expected !== undefined && again?.reading.problems.find((problem) => problem.key === k);
    const same =
      expected === undefined || !isText(layout, k)
        ? true
        : expected.isWellFormed() && alone?.[k] === expected && again?.reading.typed[k]?.text === expected;
    const untouched = expected !== undefined || again?.reading.typed[k]?.text === reading.typed[k]?.text;
    if (!stray && same && untouched) return [];
    return [{ path: pathText(path), message: stray ? stray.message : UNREADABLE }];
  });
}

/** What both readers find when nothing else is in the form, since other fields may not be YAML yet. */
function readAlone(layout: FormLayout, texts: Texts): (string | undefined)[] | undefined {
  const { lines, at } = fillForm(layout, { texts: layout.keys.map((_, k) => texts.get(k)), done: true });
  const { typed }: LineReading = readByLines(layout, { lines, knownMarks: NO_MARKS, words: formWords(layout) }, at);
  const { agree, texts: read } = compareReadings(layout, typed, readAsYaml(layout, lines.join("\n"), Infinity));
  return agree ? read : undefined;
}
