import { align, isSingle } from "./align.ts";
import { breachesAt } from "./breaches.ts";
import type { WrittenForm } from "./description.ts";
import { findDone } from "./done-line.ts";
import { handBack } from "./hand-back.ts";
import { pathText } from "./key-lines.ts";
import { type FormLayout, layoutOf } from "./layout.ts";
import { type Mark, marksOf } from "./marks.ts";
import type { RuleBreach } from "./outcome.ts";
import { type HandedBack, settle } from "./settle.ts";
import { type SourceLines, splitSource } from "./source-lines.ts";

export interface Marking {
  /** Their paths may also be what `mergeForm` lists, as the only step. */
  breaches: readonly RuleBreach[];
  /** The marks in it are taken out. */
  handedBack?: HandedBack;
}

/**
 * Hands back a form in which the gate itself found something: `done` is false again and each message stands above its
 * key. Every other byte stays, unless a script left a text without lines of its own to put a mark above.
 */
export function markAt(form: WrittenForm, text: string, { breaches, handedBack = [] }: Marking): { text: string; marks: Mark[] } {
  const layout = layoutOf(form);
  const source = splitSource(text);
  const done = findDone(layout, source.lines);
  const { at, ...alignment } = align(layout, source.lines, done.line);
  const saved = { source, done, at };
  const settled = isSingle({ at, ...alignment }) ? saved : (settle(form, text, handedBack) ?? saved);
  const problems = breachesAt(layout, breaches.map(atItsFirstLine(layout))).map((breach) => ({
    ...breach,
    line: lineAt(settled, breach.key),
  }));
  return handBack(layout, {
    source: settled.source,
    done: settled.done,
    at: settled.at,
    knownMarks: marksOf([handedBack].flat()),
    problems,
  });
}

/** Its own, or else that of the next key which still stands, where the mark goes. */
const lineAt = ({ source, at }: { source: SourceLines; at: readonly number[] }, key: number): number =>
  at.find((line, k) => k >= key && line >= 0) ?? Math.max(0, source.lines.length - 1);

/** An item of a list has no line of its own: what is said about it stands above the first that it has. */
function atItsFirstLine({ keys }: FormLayout): (breach: RuleBreach) => RuleBreach {
  const names = keys.map(({ path }) => pathText(path));
  return (breach) => {
    const item = pathText(breach.path);
    const first = item.endsWith("]") ? names.findIndex((name) => name.startsWith(`${item}.`)) : -1;
    return first < 0 ? breach : { ...breach, path: keys[first]!.path };
  };
}
