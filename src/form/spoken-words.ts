import { safeLine } from "./agent-text.ts";
import { trimmed } from "./source-lines.ts";

export const YES = new Set(["true", "yes", "y", "on", "x", "✓", "✔", "☑", "[x]"]);
export const NO = new Set(["false", "no", "n", "off"]);
/** Words that finish a form but would be doubtful as an answer to a question. */
export const FINISHED = new Set(["t", "1", "ok", "okay", "done", "finished", "ready"]);
const NOTHING = new Set(["", "null", "~", "[ ]", "[]"]);

/** A word as spoken: without quotes, closing punctuation and case. */
function spoken(value: string): string {
  const bare = unquoted(trimmed(value));
  return bare.length > LONGEST_WORD ? bare : bare.replace(/[\s.,;!]+$/, "").toLowerCase();
}

const QUOTES = /^["'`“”‘’„«»]+|["'`“”‘’„«»]+$/g;
const LONGEST_WORD = 2000;
const unquoted = (value: string): string => (value.length > LONGEST_WORD ? value : trimmed(value.replace(QUOTES, "")));

export function yesOrNo(value: string): boolean | undefined {
  const word = spoken(value);
  return YES.has(word) ? true : NO.has(word) ? false : undefined;
}

export const isNothing = (value: string): boolean => NOTHING.has(spoken(value));

/** Choices may be an agent's words: they are compared as the form shows them. */
export function chosen(value: string, choices: readonly string[]): string | undefined {
  const bare = unquoted(value);
  const shown = (choice: string) => unquoted(safeLine(choice));
  return choices.find((choice) => shown(choice) === bare) ?? choices.find((choice) => shown(choice).toLowerCase() === bare.toLowerCase());
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
