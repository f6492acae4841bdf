import type { DoneWord } from "./done-line.ts";
import { pathText } from "./key-lines.ts";
import type { FormLayout } from "./layout.ts";
import { type KnownMarks, type Mark, MARK_SIGN, markLine } from "./marks.ts";
import { LONGEST_REMARK, type Problem, SAYS } from "./problem.ts";
import { type Insertion, type SourceLines, joinSource, trimmed } from "./source-lines.ts";
import { commentColumn, templateLines } from "./write.ts";

export interface HandBack {
  source: SourceLines;
  /** Line of each key, -1 where there is none. */
  at: readonly number[];
  done: Pick<DoneWord, "line" | "value">;
  knownMarks: KnownMarks;
  problems: readonly Problem[];
  /** Keys whose lines are to be put back, with the line before which each goes. */
  putBack?: readonly { key: number; before: number; withComments: boolean }[];
  /** Lines to add at the end. */
  append?: readonly string[];
}

/** The saved text with `done: false`, a mark above each key concerned, what was missing put back, and nothing else changed. */
export function handBack(
  layout: FormLayout,
  { source, at, done, knownMarks, problems, putBack = [], append = [] }: HandBack,
): { text: string; marks: Mark[] } {
  const kept = source.lines.map((line) => !knownMarks.has(trimmed(line)));
  const told = toldAt(problems);
  const insertions: Piece[] = [];
  const marksOf = (k: number) => [...(told.get(k) ?? [])].map((message) => markLine(commentColumn(layout.keys[k]!), message));
  for (const { key, before, withComments } of putBack) {
    const above = [...(withComments ? layout.commentLines[key]! : []), ...marksOf(key)];
    insertions.push({ at: before, lines: [...above, ...templateLines(layout.keys[key]!)], key, keyAt: above.length });
    told.delete(key);
  }
  for (const line of at) if (line >= 0 && standsUnderForeignMark(source.lines, kept, line)) insertions.push({ at: line, lines: [""] });
  for (const key of told.keys()) insertions.push({ at: markPlace(at, key, source.lines.length), lines: marksOf(key) });
  if (append.length) insertions.push({ at: source.lines.length, lines: [...append] });

  const { moved, lineOfSaved, lineOfKey } = settle(insertions, kept);
  const marks = problems.slice(0, MOST_PROBLEMS).map(({ line, column, key, message }) => {
    const shownAt = line < 0 ? lineOfKey.get(key)! : lineOfSaved(line);
    return { line: shownAt + 1, column, path: pathText(layout.keys[key]!.path), message };
  });
  return { text: joinSource(pick(withDoneFalse(source, done), kept), moved), marks };
}

interface Piece extends Insertion {
  /** The key whose line is put back here, and which of the lines it is. */
  key?: number;
  keyAt?: number;
}

/** A line that only looks like a mark must not stand where marks do, or it would be taken for one, and away, next time. */
function standsUnderForeignMark(lines: readonly string[], kept: readonly boolean[], key: number): boolean {
  let above = key - 1;
  while (above >= 0 && !kept[above]) above--;
  return above >= 0 && trimmed(lines[above]!).startsWith(MARK_SIGN);
}

const MOST_PROBLEMS = 50;
/** Nobody reads thousands of marks: after the first ones a single mark counts the rest. */
function toldAt(problems: readonly Problem[]): Map<number, Set<string>> {
  const told = new Map<number, Set<string>>();
  const tell = (key: number, message: string) => told.set(key, (told.get(key) ?? new Set()).add(message));
  for (const { key, message } of problems.slice(0, MOST_PROBLEMS)) tell(key, message);
  const rest = problems.slice(MOST_PROBLEMS);
  if (rest.length) tell(rest[0]!.key, SAYS.more(rest.length));
  return told;
}

/** Above the key, or above the next one that still stands, or at the end. */
function markPlace(at: readonly number[], key: number, end: number): number {
  const next = at.findIndex((line, k) => k >= key && line >= 0);
  return next >= 0 ? at[next]! : end;
}

function pick(source: SourceLines, kept: readonly boolean[]): SourceLines {
  return { bom: source.bom, lines: source.lines.filter((_, i) => kept[i]), endings: source.endings.filter((_, i) => kept[i]) };
}

/** Insertions name lines of the saved text; marks taken out and lines put in above them move those. */
function settle(insertions: readonly Piece[], kept: readonly boolean[]) {
  const ordered = insertions.toSorted((a, b) => a.at - b.at);
  const position = [0];
  for (const isKept of kept) position.push(position.at(-1)! + (isKept ? 1 : 0));
  const lineOfKey = new Map<number, number>();
  let added = 0;
  for (const { at, lines, key, keyAt = 0 } of ordered) {
    if (key !== undefined) lineOfKey.set(key, position[at]! + added + keyAt);
    added += lines.length;
  }
  const lineOfSaved = (line: number) => ordered.reduce((sum, { at, lines }) => sum + (at <= line ? lines.length : 0), position[line]!);
  return { moved: ordered.map(({ at, lines }) => ({ at: position[at]!, lines })), lineOfSaved, lineOfKey };
}

/** Only the bytes of the word itself change, unless the line was no proper `done:` line to begin with. */
export function withDoneFalse(source: SourceLines, { line, value }: Pick<DoneWord, "line" | "value">): SourceLines {
  const text = source.lines[line];
  if (text === undefined) return source;
  const head = /^["']?done["']?\s*:(\s*)/i.exec(text);
  const proper = head && text.startsWith(value, head[0].length);
  const comma = /,$/.exec(value)?.[0] ?? "";
  const behind = proper ? text.slice(head[0].length + value.length) : (/\s#.*$/.exec(text)?.[0] ?? "");
  const before = proper ? head[0] + (head[1] === "" ? " " : "") : "done: ";
  const remark = value.length > LONGEST_REMARK ? ` # ${value}` : "";
  return { ...source, lines: source.lines.with(line, `${before}false${comma}${remark}${behind}`) };
}
