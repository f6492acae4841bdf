import { headOf } from "./align.ts";
import type { FormLayout } from "./layout.ts";
import { trimmed } from "./source-lines.ts";

/** Words by which a line is known to be the form's: whoever has them inside a text has moved or doubled a line. */
export interface FormWords {
  comments: Set<string>;
  /** Keys of texts, as written. */
  keys: Set<string>;
  /** Keys of decisions, in lower case: a decision written in the wrong place must never pass for text. */
  decisions: Set<string>;
  containers: Set<string>;
}

export function formWords(layout: FormLayout): FormWords {
  const words: FormWords = { comments: layout.known, keys: new Set(), decisions: new Set(), containers: new Set() };
  for (const { key, field } of layout.keys) {
    if (field === "done") words.decisions.add(key);
    else if (field.kind === "text" || field.kind === "fixed") words.keys.add(key);
    else if (field.kind === "group" || field.kind === "list") words.containers.add(key);
    else words.decisions.add(key.toLowerCase());
  }
  return words;
}

interface Line {
  line: number;
  text: string;
}

export const strayWords = (words: FormWords, lines: readonly Line[]): Line[] => lines.filter(({ text }) => isFormLine(words, text));

function isFormLine(words: FormWords, text: string): boolean {
  const head = headOf(text.replace(/^[\s#>]+/, ""));
  if (head) {
    if (words.keys.has(head.key) || words.decisions.has(head.key.toLowerCase())) return true;
    if (words.containers.has(head.key) && trimmed(head.rest) === "") return true;
  }
  return text.includes("#") && commentTails(text).some((tail) => words.comments.has(tail));
}

const MOST_TAILS = 32;
/** A comment of the form that was joined to a line of text is still found at its `#`. */
function commentTails(text: string): string[] {
  const tails: string[] = [];
  for (let at = text.indexOf("#"); at >= 0 && tails.length < MOST_TAILS; at = text.indexOf("#", at + 1))
    tails.push(trimmed(text.slice(at)));
  return tails;
}
