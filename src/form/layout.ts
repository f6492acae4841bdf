import type { WrittenForm } from "./description.ts";
import { type KeyLine, DONE, keyLines } from "./key-lines.ts";
import { isBlank, splitSource, trimmed } from "./source-lines.ts";

/** What envoy knows of a form it wrote: each key line in order, and the comments that stand above each. */
export interface FormLayout {
  keys: KeyLine[];
  /** The key lines as written, same index as `keys`. */
  written: string[];
  /** Comments above the key of the same index, trimmed; one more at the end: the end line. */
  comments: string[][];
  /** Comments with their indentation and the blank lines between them, for putting them back. */
  commentLines: string[][];
  endLine: string;
  /** All comments worth recognising elsewhere. */
  known: Set<string>;
}

/**
 * The comments are taken from the recorded text, not from the description: a form that was written by an older
 * envoy, with other help, is still known line by line.
 */
export function layoutOf({ description, written }: WrittenForm): FormLayout {
  const keys = keyLines(description);
  const layout: FormLayout = { keys, written: [], comments: [], commentLines: [], endLine: "", known: new Set() };
  let above: string[] = [];
  for (const line of splitSource(written).lines) {
    if (isBlank(line)) {
      if (above.length) above.push("");
      continue;
    }
    const text = trimmed(line);
    if (text.startsWith("#")) {
      above.push(line);
      if (text.length > 4) layout.known.add(text);
      continue;
    }
    layout.written.push(line);
    layout.commentLines.push(above);
    layout.comments.push(above.filter(Boolean).map(trimmed));
    above = [];
  }
  if (layout.written.length !== keys.length) throw new Error(`form ${description.key}: the written text does not follow its description`);
  layout.comments.push(above.filter(Boolean).map(trimmed));
  layout.commentLines.push(above);
  layout.endLine = trimmed(above.at(-1) ?? "");
  return layout;
}

export const doneIndex = (layout: FormLayout): number => layout.keys.length - 1;
export const isDone = (line: KeyLine): boolean => line.field === DONE;
