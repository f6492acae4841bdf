import { indentOf, isBlank, trimmed, trimmedEnd } from "./source-lines.ts";

/** What stands behind a key and below it, as a person typed it. */
export interface Typed {
  text: string;
  /** A `|` or `>` opened the text on the next line, as envoy writes it. */
  block?: boolean;
  /** The source lines, key line first, when the text runs over several without a block. */
  flow?: string[];
  /** The line is as envoy wrote it, so that its quotes and escapes are envoy's. */
  untouched?: boolean;
}

/** The same in both readers: blank lines before the text and white space after it are the form's, all else is the person's. */
export const trimText = (text: string): string => text.slice(0, trimmedEnd(text)).replace(/^(?:[ \t\r]*\n)+/, "");

const BLOCK = /^[|>](?:[-+]?([1-9])?|([1-9])[-+])$/;

export function typedText(rest: string, below: readonly string[], key: { indent: number; line: string }): Typed {
  const beside = trimmed(rest);
  const header = BLOCK.exec(beside);
  if (header) {
    const indicated = Number(header[1] ?? header[2] ?? 0);
    return { text: trimText(dedent(below, key.indent + 2, indicated && key.indent + indicated)), block: true };
  }
  const first = withoutOldValue(beside);
  const text = trimText(first === "" ? dedent(below, key.indent + 2, 0) : [first, dedent(below, key.indent + 2, 0)].join("\n"));
  const flow = below.some((line) => !isBlank(line)) ? [key.line, ...below] : [];
  return { text: withoutQuotes(text), flow: dropTrailingBlank(flow) };
}

/** The template's `|` may have been left standing before or behind what was typed on its line. Of several bars none is known to be it. */
function withoutOldValue(beside: string): string {
  const bar = beside.indexOf("|");
  if (bar !== beside.lastIndexOf("|")) return beside;
  if (bar === 0) return trimmed(beside.slice(1));
  return beside.endsWith(" |") ? trimmed(beside.slice(0, -2)) : beside;
}

/**
 * Removes the indentation that the form, not the person, put there. A first line typed on the form's indented line
 * above a paste at the margin keeps none of it; otherwise lines keep their places relative to each other.
 */
function dedent(lines: readonly string[], formIndent: number, indicated: number): string {
  const filled = lines.filter((line) => !isBlank(line));
  if (!filled.length) return "";
  const least = (some: readonly string[]) => some.reduce((n, line) => Math.min(n, indentOf(line)), Infinity);
  const all = least(filled);
  if (indicated && all >= indicated) return lines.map((line) => line.slice(indicated)).join("\n");
  const first = indentOf(filled[0]!);
  const ownFirst = first > all && first === formIndent ? first : all;
  let seen = false;
  return lines
    .map((line) => {
      const strip = seen || isBlank(line) ? all : ownFirst;
      seen ||= !isBlank(line);
      return line.slice(strip);
    })
    .join("\n");
}

function dropTrailingBlank(lines: string[]): string[] {
  const end = lines.findLastIndex((line) => !isBlank(line)) + 1;
  return lines.slice(0, end);
}

/**
 * A text wholly in quotes is meant without them. Backslashes stay as typed: whoever writes "C:\temp" means a path and
 * not a tab, and "\\server" may be a share. Only `\"` is taken for a quote, and doubled backslashes inside words for
 * single ones where all are doubled, since they can mean nothing else.
 */
export function withoutQuotes(text: string): string {
  if (/^"(?:[^"\\]|\\.)*"$/s.test(text) && text.length > 1) {
    const inner = text.slice(1, -1);
    return /^(?:[^\\]|\\"|(?<=\S)\\\\)*$/.test(inner) ? inner.replace(/\\(["\\])/g, "$1") : inner.replaceAll('\\"', '"');
  }
  if (/^'(?:[^']|'')*'$/s.test(text) && text.length > 1) return text.slice(1, -1).replaceAll("''", "'");
  return text;
}

const MACHINE_WIDTH = 80;
/** Lines were broken by a program: each break stands where the next word would have passed the usual width. */
export function foldedByMachine(lines: readonly string[]): boolean {
  return lines.slice(1).every((line, i) => {
    const word = /\S+/.exec(line)?.[0];
    return word !== undefined && lines[i]!.trimEnd().length + 1 + word.length > MACHINE_WIDTH;
  });
}

/** Equal but for where lines break. */
export const sameWords = (a: string, b: string): boolean => a.replace(/\s+/g, " ").trim() === b.replace(/\s+/g, " ").trim();
