import { safeLine } from "./agent-text.ts";
import { headOf } from "./align.ts";
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

/**
 * Which lines are envoy's marks: those it handed back, right above a key or at the end. A line that a person typed
 * behind a mark, or in a text to look like one, is not among them.
 */
export function markRecogniser(handedBack: readonly string[]): (text: string) => boolean {
  const known = new Set<string>();
  for (const text of handedBack) {
    let aboveKey = true;
    for (const line of splitSource(text).lines.toReversed()) {
      const mark = trimmed(line).startsWith(MARK_SIGN);
      if (mark && aboveKey) known.add(trimmed(line));
      aboveKey = mark ? aboveKey : headOf(line) !== undefined;
    }
  }
  return (text) => known.has(text);
}
