import { safeLine } from "./agent-text.ts";
import type { FormIdentity } from "./write.ts";

export interface LogsIdentity extends FormIdentity {
  /** What is asked for, such as "the output of the tests". */
  what: string;
}

const OPENING = "<!-- envoy logs ";
const CLOSING = " this comment is never part of the logs -->";
const LONGEST = 1000;
const BOM = Buffer.from("\ufeff");

/** The file beside the form: one comment that says what to paste. */
export function logsTemplate({ gateId, what }: LogsIdentity): string {
  // nothing in the words may end the comment
  const words = [...safeLine(what).replaceAll("--", "- -")].slice(0, 120).join("");
  return `${OPENING}${gateId}: paste ${words} here;${CLOSING}\n`;
}

/**
 * What was pasted, byte for byte, without the comment and without the file's BOM. Nothing but white space is none.
 * With the template at hand, a paste right into the middle of the comment is found as well.
 */
export function logsWithoutPlaceholder(logs: Buffer, template?: string): Buffer;
export function logsWithoutPlaceholder(logs: string, template?: string): string;
export function logsWithoutPlaceholder(logs: string | Buffer, template?: string): string | Buffer {
  if (typeof logs === "string") return withoutPlaceholder(Buffer.from(logs), template).toString();
  return withoutPlaceholder(logs, template);
}

function withoutPlaceholder(file: Buffer, template: string | undefined): Buffer {
  const bytes = file.subarray(0, BOM.length).equals(BOM) ? file.subarray(BOM.length) : file;
  const pasted = pastedInside(bytes, template) ?? betweenComments(bytes);
  return isBlank(pasted) ? Buffer.alloc(0) : pasted;
}

function betweenComments(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (let found = nextComment(bytes, 0); found; found = nextComment(bytes, found.end)) {
    parts.push(bytes.subarray(from, found.start));
    from = found.end + lineBreakBehind(bytes, found);
  }
  return parts.length ? Buffer.concat([...parts, bytes.subarray(from)]) : bytes;
}

interface Range {
  start: number;
  end: number;
}

/** Looks back from the closing words no further than the last ones found, so that no byte is read a third time. */
function nextComment(bytes: Buffer, from: number): Range | undefined {
  let seen = from;
  for (let closing = bytes.indexOf(CLOSING, from); closing >= 0; closing = bytes.indexOf(CLOSING, seen)) {
    const earliest = Math.max(seen, closing - LONGEST);
    const before = bytes.subarray(earliest, closing);
    const opening = before.lastIndexOf(OPENING);
    seen = closing + CLOSING.length;
    if (opening >= 0 && before.indexOf("\n", opening) < 0) return { start: earliest + opening, end: seen };
  }
  return undefined;
}

/** The comment's own line break goes with it, when it had a line of its own. */
function lineBreakBehind(bytes: Buffer, { start, end }: Range): number {
  const opensLine = start === 0 || bytes[start - 1] === 10;
  if (!opensLine) return 0;
  return bytes[end] === 10 ? 1 : bytes[end] === 13 && bytes[end + 1] === 10 ? 2 : 0;
}

/** `<` paste `!-- envoy …`: an editor opens on the first character, and a paste goes behind it. */
function pastedInside(bytes: Buffer, template: string | undefined): Buffer | undefined {
  const comment = Buffer.from(template?.trimEnd() ?? "");
  if (!comment.length || bytes.includes(comment)) return undefined;
  const end = lastInk(bytes) + 1;
  let shared = 0;
  while (shared < comment.length && bytes[shared] === comment[shared]) shared++;
  for (let cut = shared; cut > 0; cut--) {
    const start = end - (comment.length - cut);
    if (start >= cut && bytes.subarray(start, end).equals(comment.subarray(cut))) return bytes.subarray(cut, start);
  }
  return undefined;
}

const isSpace = (byte: number | undefined): boolean => byte === 32 || (byte !== undefined && byte >= 9 && byte <= 13);

function lastInk(bytes: Buffer): number {
  let last = bytes.length - 1;
  while (last >= 0 && isSpace(bytes[last])) last--;
  return last;
}

const isBlank = (bytes: Buffer): boolean => lastInk(bytes) < 0;
