import type { FormLayout } from "./layout.ts";
import { type KnownMarks, MARK_SIGN } from "./marks.ts";
import { type Problem, SAYS, saysOfStray } from "./problem.ts";
import { indentOf, isBlank, trimmed } from "./source-lines.ts";

/** The lines between two key lines: text of the upper key, then the comments of the lower one. */
export interface Gap {
  /** Lines that stand below the upper key, before the form's comments. */
  text: { line: number; text: string }[];
  /** Words written on or right under the help of the lower key. */
  atHelp: { line: number; text: string }[];
  /** Lines of the form's own comments, in order. */
  comments: number[];
  /** First line that belongs to the lower key. */
  lowerStart: number;
  problems: Problem[];
}

export interface SavedLines {
  lines: readonly string[];
  knownMarks: KnownMarks;
}

/** Reads gap `g`: the lines in front of key `g`, or behind the last key when `g` is the number of keys. */
export function readGap(
  layout: FormLayout,
  { lines, knownMarks }: SavedLines,
  { g, from, to }: { g: number; from: number; to: number },
): Gap {
  const expected = layout.comments[g]!;
  const gap: Gap = { text: [], atHelp: [], comments: [], lowerStart: to, problems: [] };
  const key = Math.min(g, layout.keys.length - 1);
  let next = 0;
  const found = (line: number) => {
    if (!gap.comments.length) gap.lowerStart = line;
    gap.comments.push(line);
  };
  for (let line = from; line < to; line++) {
    const raw = lines[line]!;
    const text = trimmed(raw);
    const report = (message: string) => gap.problems.push({ line, column: raw.length - raw.trimStart().length + 1, key, message });
    if (text === "") {
      if (!gap.comments.length) gap.text.push({ line, text: raw });
      continue;
    }
    if (knownMarks.has(text)) {
      if (!gap.comments.length && gap.lowerStart === to) gap.lowerStart = line;
      continue;
    }
    const underHelp = next === expected.length && g < layout.keys.length;
    if (text.startsWith(MARK_SIGN)) {
      const behind = knownMarks.behind(text);
      if (behind !== undefined && underHelp) gap.atHelp.push({ line, text: behind });
      else report(SAYS.likeMark(behind ?? knownMarks.within(text)));
      continue;
    }
    const isComment = text.startsWith("#");
    const match = isComment ? expected.indexOf(text, next) : -1;
    if (match >= 0) {
      next = match + 1;
      found(line);
      continue;
    }
    if (layout.known.has(text)) {
      report(SAYS.formLineElsewhere(text));
      continue;
    }
    const extended = isComment ? extendedHelp(expected, next, text) : undefined;
    if (extended) {
      next = extended.index + 1;
      found(line);
      if (next === expected.length && g < layout.keys.length) gap.atHelp.push({ line, text: extended.extra });
      else report(SAYS.inComment(extended.extra));
      continue;
    }
    if (!gap.comments.length) {
      gap.lowerStart = to;
      gap.text.push({ line, text: raw });
    } else if (underHelp) gap.atHelp.push({ line, text: text.replace(/^# ?/, "") });
    else report(saysOfStray(expected, text, isComment ? SAYS.inComment : SAYS.homeless));
  }
  refuseDoubtfulComments(layout, { g, key }, gap);
  return gap;
}

function extendedHelp(expected: readonly string[], from: number, text: string): { index: number; extra: string } | undefined {
  for (let index = from; index < expected.length; index++) {
    const help = expected[index]!;
    if (help.length >= 8 && text.startsWith(help)) return { index, extra: trimmed(text.slice(help.length)) };
  }
  return undefined;
}

/** A `#` line at the margin counts as text only where more text follows it; last of all it may be meant for the field below. */
function refuseDoubtfulComments(layout: FormLayout, { g, key }: { g: number; key: number }, gap: Gap): void {
  const margin = g > 0 ? layout.keys[g - 1]!.indent : 0;
  for (let i = gap.text.length - 1; i >= 0; i--) {
    const { line, text } = gap.text[i]!;
    if (isBlank(text)) continue;
    const doubtful = text.trimStart().startsWith("#") && indentOf(text) <= margin;
    if (!doubtful) return;
    gap.problems.push({ line, column: indentOf(text) + 1, key, message: saysOfStray(layout.comments[g]!, trimmed(text), SAYS.inComment) });
    gap.text.splice(i, 1);
  }
}
