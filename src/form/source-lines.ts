/** A text taken apart so that it can be put together again byte for byte: lines may end in LF or CRLF, a BOM may lead. */
export interface SourceLines {
  bom: string;
  lines: string[];
  /** The ending of each line; the last may be empty. */
  endings: string[];
}

export function splitSource(text: string): SourceLines {
  const bom = text.startsWith("\ufeff") ? "\ufeff" : "";
  const lines: string[] = [];
  const endings: string[] = [];
  let start = bom.length;
  while (start < text.length) {
    const newline = text.indexOf("\n", start);
    if (newline < 0) {
      lines.push(text.slice(start));
      endings.push("");
      break;
    }
    const crlf = newline > start && text.charCodeAt(newline - 1) === 13;
    lines.push(text.slice(start, crlf ? newline - 1 : newline));
    endings.push(crlf ? "\r\n" : "\n");
    start = newline + 1;
  }
  return { bom, lines, endings };
}

/** The ending that new lines get: the one most of the text uses. */
export function usualEnding({ endings }: SourceLines): string {
  let crlf = 0;
  for (const ending of endings) if (ending === "\r\n") crlf++;
  return crlf * 2 > endings.length ? "\r\n" : "\n";
}

/** Lines to put before line `at` (which may be one past the last). */
export interface Insertion {
  at: number;
  lines: string[];
}

/** Joins the lines again, with the insertions in their places and everything else as it was. */
export function joinSource(source: SourceLines, insertions: Insertion[] = []): string {
  const ending = usualEnding(source);
  const parts = [source.bom];
  const byLine = new Map<number, string[]>();
  for (const { at, lines } of insertions) byLine.set(at, [...(byLine.get(at) ?? []), ...lines]);
  for (let i = 0; i <= source.lines.length; i++) {
    const added = byLine.get(i);
    if (added) {
      const needsBreak = i > 0 && i === source.lines.length && source.endings[i - 1] === "";
      parts.push(needsBreak ? ending : "", ...added.map((line) => line + ending));
    }
    if (i < source.lines.length) parts.push(source.lines[i]!, source.endings[i]!);
  }
  return parts.join("");
}

export const indentOf = (line: string): number => {
  let n = 0;
  while (line.charCodeAt(n) === 32) n++;
  return n;
};

const isSpace = (code: number): boolean => code === 32 || code === 9 || code === 13 || code === 10;

export const isBlank = (line: string): boolean => trimmedEnd(line) === 0;

/** Without white space at both ends. No-break spaces are typed text and stay. */
export function trimmed(line: string): string {
  const end = trimmedEnd(line);
  let start = 0;
  while (start < end && isSpace(line.charCodeAt(start))) start++;
  return line.slice(start, end);
}

/** Where the last word ends. Not a regular expression: those take quadratic time on a megabyte of spaces. */
export function trimmedEnd(text: string): number {
  let end = text.length;
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--;
  return end;
}
