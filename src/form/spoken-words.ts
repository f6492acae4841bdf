import { trimmed } from "./source-lines.ts";

export const YES = new Set(["true", "yes", "y", "on", "x", "✓", "✔", "☑", "[x]"]);
export const NO = new Set(["false", "no", "n", "off"]);
/** Words that finish a form but would be doubtful as an answer to a question. */
export const FINISHED = new Set(["t", "1", "ok", "okay", "done", "finished", "ready"]);
const NOTHING = new Set(["", "null", "~", "[ ]", "[]"]);

/** A word as spoken: without quotes, closing punctuation and case. */
export function spoken(value: string): string {
  const bare = unquoted(trimmed(value)).replace(/[\s.,;!]+$/, "");
  return bare.toLowerCase();
}

const QUOTES = /^["'`“”‘’„«»]+|["'`“”‘’„«»]+$/g;
export const unquoted = (value: string): string => trimmed(value.replace(QUOTES, ""));

export function yesOrNo(value: string): boolean | undefined {
  const word = spoken(value);
  return YES.has(word) ? true : NO.has(word) ? false : undefined;
}

export const isNothing = (value: string): boolean => NOTHING.has(spoken(value));

export function chosen(value: string, choices: readonly string[]): string | undefined {
  const bare = unquoted(value);
  return choices.find((choice) => choice === bare) ?? choices.find((choice) => choice.toLowerCase() === bare.toLowerCase());
}

export function numberOf(value: string): number | undefined {
  const bare = unquoted(value);
  if (!/^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(bare)) return undefined;
  const number = Number(bare);
  return Number.isFinite(number) ? number : undefined;
}

/** What a person said behind `done`: not yet, finished, or something that tries to finish without saying so. */
export function finishing(value: string): "not yet" | "finished" | "unclear" {
  const word = spoken(value);
  if (NO.has(word) || NOTHING.has(word)) return "not yet";
  return YES.has(word) || FINISHED.has(word) ? "finished" : "unclear";
}
