import { safeLine } from "./agent-text.ts";
import { headOf } from "./align.ts";
import { changedComment, isCut } from "./changed-comment.ts";
import { DONE } from "./key-lines.ts";
import { splitSource, trimmed } from "./source-lines.ts";

/** One thing told to the person: where it stands in the text handed back (from 1), about which field, in plain words. */
export interface Mark {
  line: number;
  column: number;
  path: string;
  message: string;
}

/** A line that begins so and is no mark of envoy's would be taken for one later, so it is never read as text. */
export const MARK_SIGN = "# ✗";

export const markLine = (indent: number, message: string): string => `${" ".repeat(indent)}${MARK_SIGN} ${safeLine(message)}`;

/** envoy's marks as it handed them back: right above a key, or at the end where there is no `done`. */
export interface KnownMarks {
  /** A mark, or what somebody left of one. A line that a person typed to look like one is none. */
  has: (text: string) => boolean;
  /** The words typed behind a mark. */
  behind: (text: string) => string | undefined;
  /** The person's words in a line that begins as a mark does. */
  within: (text: string) => string;
}

export function marksOf(handedBack: readonly string[]): KnownMarks {
  const known = new Set<string>();
  for (const text of handedBack) {
    const { lines } = splitSource(text);
    let aboveKey = !lines.some((line) => headOf(line)?.key === DONE);
    for (const line of lines.toReversed()) {
      const mark = trimmed(line).startsWith(MARK_SIGN);
      if (mark && aboveKey) known.add(trimmed(line));
      aboveKey = mark ? aboveKey : headOf(line) !== undefined;
    }
  }
  const marks = [...known];
  return {
    has: (text) => known.has(text) || (text.startsWith(MARK_SIGN) && marks.some((mark) => isCut(mark, text))),
    behind: (text) => {
      const mark = marks.find((own) => text.startsWith(own));
      return mark && trimmed(text.slice(mark.length));
    },
    within: (text) => changedComment(marks, text, 0)?.added ?? trimmed(text.slice(MARK_SIGN.length)),
  };
}

export const NO_MARKS = marksOf([]);
