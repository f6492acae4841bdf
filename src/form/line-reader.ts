import { shownText } from "./agent-text.ts";
import { headOf } from "./align.ts";
import type { FixedField } from "./description.ts";
import { type FormWords, strayWords } from "./form-words.ts";
import type { KeyLine } from "./key-lines.ts";
import type { FormLayout } from "./layout.ts";
import { type Gap, type SavedLines, readGap } from "./line-gaps.ts";
import { type Problem, SAYS, saysOfStray } from "./problem.ts";
import { isBlank, trimmed } from "./source-lines.ts";
import { type Typed, sameWords, typedText, withoutQuotes } from "./typed-text.ts";

/** The form read by its own known lines: per key what was typed there, and every line that has no place. */
export interface LineReading {
  /** Same index as the layout's keys. Containers, fixed texts and `done` have none. */
  typed: (Typed | undefined)[];
  gaps: Gap[];
  problems: Problem[];
}

export function readByLines(layout: FormLayout, saved: SavedLines & { words: FormWords }, at: readonly number[]): LineReading {
  const { keys } = layout;
  const gaps: Gap[] = [];
  for (let g = 0; g <= keys.length; g++) {
    gaps.push(readGap(layout, saved, { g, from: g ? at[g - 1]! + 1 : 0, to: at[g] ?? saved.lines.length }));
  }
  const reading: LineReading = { typed: [], gaps, problems: gaps.flatMap((gap) => gap.problems) };
  for (const { line, text } of gaps[0]!.text) {
    if (!isBlank(text)) reading.problems.push({ line, column: 1, key: 0, message: SAYS.homeless(text) });
  }
  keys.forEach((key, k) => {
    const line = at[k]!;
    const place: Place = {
      key,
      index: k,
      line,
      source: saved.lines[line]!,
      written: layout.written[k]!,
      below: gaps[k + 1]!.text,
      atHelp: gaps[k]!.atHelp,
      comments: layout.comments[k + 1]!,
    };
    const result = readKey(place, saved.words);
    reading.typed.push(result.typed);
    reading.problems.push(...result.problems);
  });
  return reading;
}

interface Place {
  key: KeyLine;
  index: number;
  line: number;
  source: string;
  written: string;
  below: Gap["text"];
  atHelp: Gap["atHelp"];
  /** The form's comments below it. */
  comments: readonly string[];
}
interface KeyReading {
  typed?: Typed;
  problems: Problem[];
}

function readKey(place: Place, words: FormWords): KeyReading {
  const { key } = place;
  if (key.field === "done") return { problems: [...homeless(place), ...strayHelp(place), ...behind(place, restOf(place))] };
  switch (key.field.kind) {
    case "text":
      return readText(place, words);
    case "group":
    case "list": {
      const rest = trimmed(restOf(place));
      const beside = rest === "" || rest === "|" ? [] : [problemAt(place, place.line, SAYS.homeless(rest))];
      return { problems: [...beside, ...homeless(place), ...strayHelp(place)] };
    }
    case "fixed":
      return { problems: [...readFixed(place, key.field), ...strayHelp(place)] };
    default:
      return readScalar(place);
  }
}

const restOf = ({ source }: Place): string => headOf(source)?.rest ?? "";

function readText(place: Place, words: FormWords): KeyReading {
  const below = place.below.map(({ text }) => text);
  const typed = typedText(restOf(place), below, { indent: place.key.indent, line: place.source });
  const problems = strayWords(words, [{ line: place.line, text: restOf(place) }, ...place.below]).map(({ line, text }) =>
    problemAt(place, line, SAYS.formLineElsewhere(text)),
  );
  if (!place.atHelp.length) return { typed, problems };
  if (typed.text !== "") return { typed, problems: [...problems, ...strayHelp(place)] };
  const text = place.atHelp.map((help) => help.text).join("\n");
  problems.push(...strayWords(words, place.atHelp).map((stray) => problemAt(place, stray.line, SAYS.formLineElsewhere(stray.text))));
  return { typed: { text: trimmed(text) }, problems };
}

function readScalar(place: Place): KeyReading {
  const rest = trimmed(restOf(place));
  const filled = place.below.filter(({ text }) => !isBlank(text));
  const onNextLine = (rest === "" || /^[|>][-+]?$/.test(rest)) && filled.length === 1;
  const value = onNextLine ? trimmed(filled[0]!.text) : rest;
  const problems = [...(onNextLine ? [] : homeless(place)), ...strayHelp(place), ...behind(place, value)];
  return { typed: { text: withoutQuotes(value), untouched: place.source === place.written }, problems };
}

/** The same text in other quotes, or broken over lines by a program, is still the same text. */
function readFixed(place: Place, field: FixedField): Problem[] {
  const joined = [trimmed(restOf(place)), ...place.below.filter(({ text }) => !isBlank(text)).map(({ text }) => trimmed(text))]
    .join(" ")
    .trim();
  const shown = shownText(field.text);
  if (joined === JSON.stringify(shown) || sameWords(decoded(joined), shown)) return [];
  return [problemAt(place, place.line, SAYS.changedFixed(shown))];
}

function decoded(text: string): string {
  if (!text.startsWith('"')) return withoutQuotes(text).replace(/^[|>][-+]?\s/, "");
  return withoutQuotes(text).replace(/\\([\\nt])/g, (_, c: string) => (c === "\\" ? "\\" : " "));
}

/** A comment behind a value would be lost without a word. */
function behind(place: Place, value: string): Problem[] {
  const inQuotes = withoutQuotes(value) !== value;
  const comment = inQuotes ? undefined : /(?:^|\s)(#.*)$/.exec(value)?.[1];
  return comment === undefined ? [] : [problemAt(place, place.line, SAYS.commentBehind(comment))];
}

const homeless = (place: Place): Problem[] =>
  place.below
    .filter(({ text }) => !isBlank(text))
    .map(({ line, text }) => problemAt(place, line, saysOfStray(place.comments, trimmed(text), SAYS.homeless)));

const strayHelp = (place: Place): Problem[] => place.atHelp.map(({ line, text }) => problemAt(place, line, SAYS.inComment(text)));

function problemAt(place: Place, line: number, message: string): Problem {
  return { line, column: line === place.line ? place.key.indent + 1 : 1, key: place.index, message };
}
