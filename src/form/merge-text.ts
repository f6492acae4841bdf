import { type KeyLine, DONE } from "./key-lines.ts";
import type { FormLayout } from "./layout.ts";
import { type Segment, type Segments, titleSize } from "./segments.ts";
import type { Settled } from "./settle.ts";
import { isBlank, usualEnding } from "./source-lines.ts";
import { standsApart, templateLines } from "./write.ts";

interface Plan {
  segments: Segments;
  /** The merged form's. */
  layout: FormLayout;
  /** For each of its keys the index before, -1 for a new one. */
  from: readonly number[];
}

interface Composed {
  text: string;
  lines: string[];
  /** Line of each key. */
  at: number[];
  /** Keys whose comments or fixed text are no longer those that the person saw. */
  changed: number[];
}

/** Puts the person's segments and the new entries together. Undefined where something typed stands in the way. */
export function composeMerged(settled: Settled, plan: Plan): Composed | undefined {
  const { segments, layout, from } = plan;
  const former = settled.layout;
  const staying = new Set(from);
  if (segments.keys.some(({ untouched }, k) => k < former.keys.length && !staying.has(k) && !untouched)) return undefined;
  if (from.some((k, j) => k >= 0 && !sameShape(former.keys[k]!, layout.keys[j]!))) return undefined;

  const out = new Output(settled);
  const changed: number[] = [];
  const [title, formerTitle] = [titleSize(layout), titleSize(former)];
  const head = { ...segments.head, start: 0 };
  const titles = { before: former.comments[0]!.slice(0, formerTitle), after: layout.comments[0]!.slice(0, title) };
  const whole = head.comments.length === formerTitle;
  if (!out.segment(head, replacement(head, { ...titles, lines: whole ? titles.after : undefined }))) return undefined;

  for (const [j, key] of layout.keys.entries()) {
    const k = from[j]!;
    const own = j ? layout.commentLines[j]! : layout.commentLines[0]!.slice(title + 1);
    if (k < 0) {
      out.fresh(j, [...own, ...templateLines(key)], standsApart(key));
      continue;
    }
    const before = k ? former.comments[k]! : former.comments[0]!.slice(formerTitle);
    const after = j ? layout.comments[j]! : layout.comments[0]!.slice(title);
    const comments = replacement(segments.keys[k]!, { before, after, lines: own });
    const fixed = newFixed(settled, { k, key, written: layout.written[j]! });
    if (out.afterFresh && standsApart(key)) out.apart();
    if (!out.segment(segments.keys[k]!, comments, { k, j, fixed })) return undefined;
    if ((comments || fixed) && key.field !== DONE && !key.field.gone && !key.item?.gone) changed.push(j);
  }
  const end = segments.keys.at(-1)!;
  if (
    !out.segment(
      end,
      replacement(end, { before: former.comments.at(-1)!, after: layout.comments.at(-1)!, lines: layout.commentLines.at(-1)! }),
    )
  )
    return undefined;
  return { text: settled.source.bom + out.text(), lines: out.lines, at: out.at, changed };
}

const sameShape = (a: KeyLine, b: KeyLine): boolean => a.indent === b.indent && a.dash === b.dash;

/** Comments that take the place of those that stand; undefined when they are the same. */
interface Replacement {
  lines: readonly string[];
  outdated: ReadonlySet<number>;
}

/** Without `lines`, those that no longer hold go and none come: the person had taken some away. */
function replacement(
  { comments }: Pick<Segment, "comments">,
  { before, after, lines }: { before: readonly string[]; after: readonly string[]; lines: readonly string[] | undefined },
): Replacement | undefined {
  if (before.length === after.length && before.every((comment, i) => comment === after[i])) return undefined;
  const outdated = comments.filter(({ index }) => lines || !after.includes(before[index]!)).map(({ line }) => line);
  return { lines: lines ?? [], outdated: new Set(outdated) };
}

/** A question's new words, unless the person has changed the old ones: those are told about when the form is read. */
function newFixed({ layout, reading }: Settled, { k, key, written }: { k: number; key: KeyLine; written: string }): string | undefined {
  const { field } = layout.keys[k]!;
  if (field === DONE || field.kind !== "fixed" || key.field === DONE || key.field.kind !== "fixed") return undefined;
  return field.text === key.field.text || reading.problems.some((problem) => problem.key === k) ? undefined : written;
}

/** The merged text as it grows, line by line with its ending. */
class Output {
  readonly lines: string[] = [];
  readonly at: number[] = [];
  afterFresh = false;
  readonly #endings: string[] = [];
  readonly #settled: Settled;
  readonly #ending: string;

  constructor(settled: Settled) {
    this.#settled = settled;
    this.#ending = usualEnding(settled.source);
  }

  #push(line: string, ending = this.#ending): void {
    this.lines.push(line);
    this.#endings.push(ending);
  }

  apart(): void {
    if (this.lines.length && !isBlank(this.lines.at(-1)!)) this.#push("");
  }

  fresh(j: number, lines: readonly string[], apart: boolean): void {
    if (apart) this.apart();
    for (const line of lines) this.#push(line);
    this.at[j] = this.lines.length - 1;
    while (/^\s*$/.test(this.lines[this.at[j]!]!)) this.at[j]!--;
    this.afterFresh = true;
  }

  /** Copies a segment. False when its comments would have to be replaced around something typed. */
  segment(
    { start, end, plain }: Pick<Segment, "start" | "end" | "plain">,
    comments: Replacement | undefined,
    key?: { k: number; j: number; fixed: string | undefined },
  ): boolean {
    if (comments && !plain) return false;
    const { source, at, reading } = this.#settled;
    const place = comments && (comments.outdated.values().next().value ?? start);
    const stale = new Set(comments?.outdated);
    if (key?.fixed) for (const { line, text } of reading.gaps[key.k + 1]!.text) if (!isBlank(text)) stale.add(line);
    for (let i = start; i < end; i++) {
      if (i === place) for (const line of comments!.lines) this.#push(line);
      if (stale.has(i)) continue;
      const isKey = key && i === at[key.k];
      if (isKey) this.at[key.j] = this.lines.length;
      this.#push(isKey && key.fixed ? key.fixed : source.lines[i]!, source.endings[i]);
    }
    this.afterFresh = false;
    return true;
  }

  text(): string {
    return this.lines.map((line, i) => line + this.#endings[i]).join("");
  }
}
