import { type FormLayout, doneIndex } from "./layout.ts";
import type { KeyLine } from "./key-lines.ts";
import { indentOf } from "./source-lines.ts";

/** The beginning of a line that carries a key. */
export interface LineHead {
  key: string;
  indent: number;
  dash: boolean;
  /** What stands behind the colon, untrimmed. */
  rest: string;
}

/** For each key of the layout the line it stands on; -1 where it is missing. `extra` are key lines too many. */
export interface Alignment {
  at: number[];
  extra: number[];
  missing: number[];
  /** Keys were found only by ignoring case and indentation. */
  relaxed: boolean;
}

export const isSingle = (alignment: Alignment): boolean => alignment.extra.length === 0 && alignment.missing.length === 0;

/** Key lines as written first; only where that fails, key lines that moved sideways or were retyped in another case. */
export function align(layout: FormLayout, lines: readonly string[], doneLine: number): Alignment {
  const exact = pair(layout, candidates(layout, lines, { doneLine, signature: exactSignature }), false);
  if (isSingle(exact)) return exact;
  const relaxed = pair(layout, candidates(layout, lines, { doneLine, signature: relaxedSignature }), true);
  return isSingle(relaxed) ? relaxed : exact;
}

interface Candidate {
  line: number;
  signature: string;
}
type Signature = (head: Pick<LineHead, "key" | "indent" | "dash"> & { rest?: string }) => string;

const exactSignature: Signature = ({ key, indent, dash, rest = " " }) =>
  rest === "" || /^[ \t]/.test(rest) ? `${indent}${dash ? "-" : " "}${key}` : "";
const relaxedSignature: Signature = ({ key }) => key.toLowerCase();

function candidates(
  layout: FormLayout,
  lines: readonly string[],
  { doneLine, signature }: { doneLine: number; signature: Signature },
): Candidate[] {
  const wanted = new Map<string, KeyLine>();
  for (const key of layout.keys) wanted.set(signature(key), key);
  const doneSignature = signature(layout.keys[doneIndex(layout)]!);
  const found: Candidate[] = [];
  lines.forEach((text, line) => {
    if (line === doneLine) return void found.push({ line, signature: doneSignature });
    const head = headOf(text);
    const own = head && signature(head);
    const key = own ? wanted.get(own) : undefined;
    if (!own || !key || (signature === relaxedSignature && isContainer(key) && /[^\s|]/.test(head.rest))) return;
    found.push({ line, signature: own });
  });
  return found;
}

const isContainer = (key: KeyLine) => key.field !== "done" && (key.field.kind === "group" || key.field.kind === "list");

/** Both sequences are walked side by side; where they part, the nearer match ahead says which side has one too many. */
function pair(layout: FormLayout, found: Candidate[], relaxed: boolean): Alignment {
  const signature = relaxed ? relaxedSignature : exactSignature;
  const wanted = layout.keys.map((key) => signature(key));
  const result: Alignment = { at: [], extra: [], missing: [], relaxed };
  let c = 0;
  for (let k = 0; k < wanted.length; k++) {
    const ahead = near(found, c, (candidate) => candidate.signature === wanted[k]);
    const behind = c < found.length ? near(wanted, k, (name) => name === found[c]!.signature) : -1;
    if (ahead < 0 || (ahead > 0 && behind > 0 && behind <= ahead)) {
      result.at.push(-1);
      result.missing.push(k);
      continue;
    }
    for (const candidate of found.slice(c, c + ahead)) result.extra.push(candidate.line);
    result.at.push(found[c + ahead]!.line);
    c += ahead + 1;
  }
  for (const candidate of found.slice(c)) result.extra.push(candidate.line);
  return result;
}

const LOOK_AHEAD = 64;
function near<T>(list: readonly T[], from: number, matches: (item: T) => boolean): number {
  for (let i = from; i < list.length && i < from + LOOK_AHEAD; i++) if (matches(list[i]!)) return i - from;
  return -1;
}

const QUOTED_KEY = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')\s*:/;
const LONGEST_KEY = 300;

/** Reads `  - key: rest`; undefined when the line has no such beginning. */
export function headOf(line: string): LineHead | undefined {
  let indent = indentOf(line);
  const dash = line.startsWith("- ", indent);
  if (dash) indent += 2 + indentOf(line.slice(indent + 2, indent + 20));
  const body = line.slice(indent, indent + LONGEST_KEY);
  const quoted = QUOTED_KEY.exec(body);
  const colon = quoted ? quoted[0].length - 1 : body.indexOf(":");
  if (colon <= 0 || body.startsWith("#")) return undefined;
  const key = quoted ? (quoted[1] === undefined ? quoted[2]!.replaceAll("''", "'") : unescaped(quoted[1])) : body.slice(0, colon).trimEnd();
  return { key, indent, dash, rest: line.slice(indent + colon + 1) };
}

const unescaped = (text: string): string => text.replace(/\\(["\\])/g, "$1");
