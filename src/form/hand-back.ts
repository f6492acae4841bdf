import type { DoneWord } from "./done-line.ts";
import { pathText } from "./key-lines.ts";
import type { FormLayout } from "./layout.ts";
import { type Mark, markLine } from "./marks.ts";
import type { Problem } from "./problem.ts";
import { type Insertion, type SourceLines, joinSource, trimmed } from "./source-lines.ts";
import { commentColumn, templateLines } from "./write.ts";

export interface HandBack {
  source: SourceLines;
  /** Line of each key, -1 where there is none. */
  at: readonly number[];
  done: Pick<DoneWord, "line" | "value">;
  isMark: (text: string) => boolean;
  problems: readonly Problem[];
  /** Keys whose lines are to be put back, with the line before which each goes. */
  putBack?: readonly { key: number; before: number; withComments: boolean }[];
  /** Lines to add at the end. */
  append?: readonly string[];
}

/** The saved text with `done: false`, a mark above each key concerned, what was missing put back, and nothing else changed. */
export function handBack(
  layout: FormLayout,
  { source, at, done, isMark, problems, putBack = [], append = [] }: HandBack,
): { text: string; marks: Mark[] } {
  const kept = source.lines.map((line) => !isMark(trimmed(line)));
  const insertions: Insertion[] = [];
  const told = new Map<number, Set<string>>();
  const returned = new Set(putBack.map(({ key }) => key));
  for (const problem of problems) {
    const messages = told.get(problem.key) ?? new Set();
    told.set(problem.key, messages.add(problem.message));
  }
  const marksOf = (k: number) => [...(told.get(k) ?? [])].map((message) => markLine(commentColumn(layout.keys[k]!), message));
  for (const { key, before, withComments } of putBack) {
    const comments = withComments ? layout.commentLines[key]! : [];
    insertions.push({ at: before, lines: [...comments, ...marksOf(key), ...templateLines(layout.keys[key]!)] });
  }
  for (const key of told.keys())
    if (!returned.has(key)) insertions.push({ at: markPlace(at, key, source.lines.length), lines: marksOf(key) });
  if (append.length) insertions.push({ at: source.lines.length, lines: [...append] });

  const text = joinSource(pick(withDoneFalse(source, done), kept), shift(insertions, kept));
  return { text, marks: locate(layout, { text, problems, kept, insertions }) };
}

/** Above the key, or above the next one that still stands, or at the end. */
function markPlace(at: readonly number[], key: number, end: number): number {
  const next = at.slice(key).find((line) => line >= 0) ?? -1;
  return next >= 0 ? next : end;
}

function pick(source: SourceLines, kept: readonly boolean[]): SourceLines {
  return { bom: source.bom, lines: source.lines.filter((_, i) => kept[i]), endings: source.endings.filter((_, i) => kept[i]) };
}

/** Insertions name lines of the saved text; the marks taken out above them have moved those up. */
function shift(insertions: readonly Insertion[], kept: readonly boolean[]): Insertion[] {
  const position = [0];
  for (const isKept of kept) position.push(position.at(-1)! + (isKept ? 1 : 0));
  return insertions.map(({ at, lines }) => ({ at: position[at]!, lines }));
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
  return { ...source, lines: source.lines.with(line, `${before}false${comma}${behind}`) };
}

/** Marks name lines of the text that is handed back, since that is what the person now sees. */
function locate(
  layout: FormLayout,
  {
    text,
    problems,
    kept,
    insertions,
  }: { text: string; problems: readonly Problem[]; kept: readonly boolean[]; insertions: readonly Insertion[] },
): Mark[] {
  const shown = text.split("\n");
  return problems.map(({ line, column, key, message }) => {
    const path = pathText(layout.keys[key]!.path);
    if (line < 0) return { line: shown.findIndex((own) => own.includes(message)) + 2, column, path, message };
    const removed = kept.slice(0, line).filter((isKept) => !isKept).length;
    const added = insertions.reduce((sum, { at, lines }) => sum + (at <= line ? lines.length : 0), 0);
    return { line: line - removed + added + 1, column, path, message };
  });
}
