import { nearestName } from "../system/nearest-name.ts";
import { type Alignment, headOf } from "./align.ts";
import type { FormLayout } from "./layout.ts";
import { type Problem, SAYS } from "./problem.ts";
import { isBlank, trimmed } from "./source-lines.ts";
import { keyHead } from "./write.ts";

/** Why the key lines do not give one reading, and which lines envoy can put back. */
export interface Misplaced {
  problems: Problem[];
  putBack: { key: number; before: number; withComments: boolean }[];
}

export function explainMisplaced(layout: FormLayout, lines: readonly string[], alignment: Alignment): Misplaced {
  const result: Misplaced = { problems: [], putBack: [] };
  const moved = new Set<number>();
  for (const line of alignment.extra.slice(0, MOST_LINES)) {
    const home = alignment.missing.find((k) => !moved.has(k) && layout.keys[k]!.key === headOf(lines[line]!)?.key);
    if (home !== undefined) moved.add(home);
    const says = home === undefined ? SAYS.twice : SAYS.moved;
    result.problems.push({ line, column: 1, key: keyBelow(alignment, line), message: says(lines[line]!) });
  }
  const around = surroundings(alignment, lines.length);
  for (const k of alignment.missing) {
    if (moved.has(k)) continue;
    const key = layout.keys[k]!;
    const { from, to } = around[k]!;
    const misspelt = result.problems.length < MOST_LINES ? findMisspelt(lines, { from, to, key: key.key }) : -1;
    if (misspelt >= 0) {
      result.problems.push({ line: misspelt, column: 1, key: k, message: SAYS.misspelt(lines[misspelt]!, key.key) });
    } else if (alignment.extra.length === 0) {
      result.problems.push({ line: -1, column: key.indent + 1, key: k, message: SAYS.missing(trimmed(keyHead(key))) });
      result.putBack.push({ key: k, ...place(layout, lines, { k, from, to }) });
    } else {
      result.problems.push({
        line: Math.max(0, Math.min(to, lines.length) - 1),
        column: 1,
        key: k,
        message: SAYS.missingStill(trimmed(keyHead(key))),
      });
    }
  }
  return result;
}

const keyBelow = ({ at }: Alignment, line: number): number => {
  const k = at.findIndex((own) => own >= line);
  return k < 0 ? at.length - 1 : k;
};

/** For each key the lines between the nearest keys above and below it that still stand. */
function surroundings({ at }: Alignment, end: number): { from: number; to: number }[] {
  const around: { from: number; to: number }[] = [];
  let above = -1;
  for (const line of at) {
    around.push({ from: above + 1, to: end });
    if (line >= 0) above = line;
  }
  let below = end;
  for (let k = at.length - 1; k >= 0; k--) {
    around[k]!.to = below;
    if (at[k]! >= 0) below = at[k]!;
  }
  return around;
}

const MOST_LINES = 200;
function findMisspelt(lines: readonly string[], { from, to, key }: { from: number; to: number; key: string }): number {
  for (let i = from; i < Math.min(to, from + MOST_LINES); i++) {
    const head = headOf(lines[i]!);
    if (head && head.key.length <= 64 && key.length > 2 && head.key !== key && nearestName(head.key, [key])) return i;
  }
  return -1;
}

/** Under its own help where that still stands, so that text left behind comes to lie below the key; else above the next comments. */
function place(
  layout: FormLayout,
  lines: readonly string[],
  { k, from, to }: { k: number; from: number; to: number },
): { before: number; withComments: boolean } {
  const help = layout.comments[k]!.at(-1);
  const first = Math.max(from, to - MOST_LINES);
  for (let i = to - 1; i >= first; i--) if (help && trimmed(lines[i]!) === help) return { before: i + 1, withComments: false };
  let before = to;
  for (let i = to - 1; i >= first; i--) {
    const text = trimmed(lines[i]!);
    if (layout.known.has(text)) before = i;
    else if (!isBlank(text)) break;
  }
  return { before, withComments: true };
}
