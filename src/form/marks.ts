import { safeLine } from "./agent-text.ts";
import { trimmed } from "./source-lines.ts";

/** One thing told to the person: where it stands in the text handed back (from 1), about which field, in plain words. */
export interface Mark {
  line: number;
  column: number;
  path: string;
  message: string;
}

const SIGN = "# ✗";

export const markLine = (indent: number, message: string): string => `${" ".repeat(indent)}${SIGN} ${safeLine(message)}`;

/**
 * Which lines are envoy's marks. With the text last handed back only its own marks count, so that an answer typed
 * behind a mark is not taken away with it; without it every line that begins like one does.
 */
export function markRecogniser(handedBack?: string): (text: string) => boolean {
  if (handedBack === undefined) return (text) => text.startsWith(SIGN);
  const known = new Set(
    handedBack
      .split("\n")
      .map(trimmed)
      .filter((line) => line.startsWith(SIGN)),
  );
  return (text) => text.startsWith(SIGN) && known.has(text);
}
