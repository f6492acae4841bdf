import type { FormLayout } from "./layout.ts";
import type { Settled } from "./settle.ts";
import { isBlank, trimmed } from "./source-lines.ts";

interface Comment {
  line: number;
  /** Its place among the layout's; -1 when something was written behind it. */
  index: number;
}

/** The lines that go with one key: its comments and marks, its own line, what was typed below it. */
export interface Segment {
  start: number;
  end: number;
  /** Those of its comments that still stand. */
  comments: Comment[];
  /** Nothing was typed among its comments, so that they can be replaced. */
  plain: boolean;
  /** Nothing but envoy's own lines. */
  untouched: boolean;
}

export interface Segments {
  /** The title, in front of the first key's comments. */
  head: { end: number; comments: Comment[]; plain: boolean };
  /** One per key, and the end line's as the last. */
  keys: Segment[];
}

/** How many of the comments above the first key are the form's title: those before the first blank line. */
export const titleSize = ({ commentLines }: FormLayout): number => Math.max(0, commentLines[0]!.indexOf(""));

export function segmentsOf(settled: Settled): Segments {
  const { layout, source, reading, at } = settled;
  const found = reading.gaps.map((gap, g) => standing(source.lines, gap.comments, layout.comments[g]!));
  const title = titleSize(layout);
  const isTitle = ({ line, index }: Comment) =>
    index < 0 ? layout.comments[0]!.slice(0, title).some((own) => trimmed(source.lines[line]!).startsWith(own)) : index < title;
  const starts = reading.gaps.map((gap) => gap.lowerStart);
  const lastTitle = found[0]!.findLast(isTitle)?.line ?? -1;
  const first = source.lines.findIndex(
    (line, i) => i > lastTitle && (i === at[0] || settled.knownMarks.has(trimmed(line)) || isOwn(found[0]!, i)),
  );
  starts[0] = first;
  const keys = found.map((comments, g): Segment => {
    const gap = reading.gaps[g]!;
    const end = starts[g + 1] ?? source.lines.length;
    const own = g ? comments : comments.filter((comment) => !isTitle(comment));
    const plain = gap.atHelp.length === 0 && gap.problems.length === 0 && own.every(({ index }) => index >= 0);
    const start = starts[g]!;
    return { start, end, comments: own, plain, untouched: isUntouched(settled, { k: g, start, end }) };
  });
  const head = found[0]!.filter(isTitle);
  return { head: { end: first, comments: head, plain: head.every(({ index }) => index >= 0) }, keys };
}

const isOwn = (comments: readonly Comment[], line: number): boolean => comments.some((own) => own.line === line);

function standing(lines: readonly string[], found: readonly number[], expected: readonly string[]): Comment[] {
  let next = 0;
  return found.map((line) => {
    const index = expected.indexOf(trimmed(lines[line]!), next);
    if (index >= 0) next = index + 1;
    return { line, index };
  });
}

function isUntouched({ layout, source, at, knownMarks }: Settled, { k, start, end }: { k: number; start: number; end: number }): boolean {
  const comments = new Set(layout.comments[k]);
  for (let line = start; line < end; line++) {
    const text = trimmed(source.lines[line]!);
    if (line === at[k] ? text !== trimmed(layout.written[k]!) : !isBlank(text) && !comments.has(text) && !knownMarks.has(text))
      return false;
  }
  return true;
}
