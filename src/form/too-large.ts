import { type FormLayout, doneIndex } from "./layout.ts";
import { doneWord } from "./done-line.ts";
import { markLine } from "./marks.ts";
import type { FormOutcome } from "./outcome.ts";
import { SAYS } from "./problem.ts";
import { withDoneFalse } from "./hand-back.ts";
import { joinSource, splitSource } from "./source-lines.ts";

const MIBIBYTE = 1024 * 1024;
const TAIL = 4096;

export const largestForm = (written: string): number => Math.max(MIBIBYTE, 4 * Buffer.byteLength(written));

/** The last lines of a text of any size. */
export const endOf = (text: string): string => text.slice(text.lastIndexOf("\n", Math.max(0, text.length - TAIL)) + 1);

/** Only the end of an oversized form is looked at: it says whether the person is finished, and carries the mark. */
export function tooLarge(layout: FormLayout, text: string, maxBytes: number): FormOutcome {
  const end = endOf(text);
  const tail = splitSource(end);
  const line = tail.lines.findLastIndex((own) => /^["']?done["']?\s*[:=]/i.test(own));
  const done = line < 0 ? undefined : doneWord(tail.lines[line]!, line);
  if (done?.said === "not yet") return { kind: "waiting" };
  const message = SAYS.tooLarge(maxBytes);
  const ended = done ? withDoneFalse(tail, done) : tail;
  const at = done ? line : tail.lines.length;
  const handedBack = text.slice(0, text.length - end.length) + joinSource(ended, [{ at, lines: [markLine(0, message)] }]);
  const path = layout.keys[doneIndex(layout)]!.key;
  return { kind: "refused", text: handedBack, marks: [{ line: 1, column: 1, path, message }] };
}
