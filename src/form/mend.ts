import { quotedScalar } from "./agent-text.ts";
import { commentColumn, keyHead, standsApart, templateLines } from "./write.ts";
import { textIndent } from "./key-lines.ts";
import { type FormLayout, isDone } from "./layout.ts";
import { markLine } from "./marks.ts";
import { isNothing } from "./spoken-words.ts";

export interface Filling {
  texts: readonly (string | undefined)[];
  /** Messages per key, told above its line. */
  marks?: ReadonlyMap<number, readonly string[]>;
  done?: boolean;
}

export interface FilledForm {
  lines: string[];
  /** Line of each key. */
  at: number[];
}

/** The whole form set anew: envoy's lines as it wrote them, each text properly under its field. */
export function fillForm(layout: FormLayout, { texts, marks, done = false }: Filling): FilledForm {
  const lines: string[] = [];
  const at: number[] = [];
  layout.keys.forEach((key, k) => {
    if (standsApart(key) && lines.at(-1)?.trim()) lines.push("");
    lines.push(...layout.commentLines[k]!);
    for (const message of marks?.get(k) ?? []) lines.push(markLine(commentColumn(key), message));
    at.push(lines.length);
    lines.push(...(isDone(key) ? [`done: ${done}`] : filledLines(layout, k, texts[k] ?? "")));
  });
  return { lines: [...lines, ...layout.commentLines.at(-1)!], at };
}

/** The lines that belong to one key alone: its own and those of its text. */
export function filledLines(layout: FormLayout, k: number, text: string): string[] {
  const key = layout.keys[k]!;
  if (key.field === "done" || key.field.kind === "group" || key.field.kind === "list" || key.field.kind === "fixed")
    return [layout.written[k]!];
  if (key.field.kind === "text") return text === "" ? templateLines(key) : textBlock(keyHead(key), text, textIndent(key));
  return [`${keyHead(key)} ${scalarAsTyped(text)}`];
}

function textBlock(head: string, text: string, indent: number): string[] {
  const pad = " ".repeat(indent);
  const header = text.startsWith(" ") ? "|2" : "|";
  return [`${head} ${header}`, ...text.split("\n").map((line) => (line === "" ? "" : pad + line)), ""];
}

/** A decision as it was typed, in quotes where YAML would read something else into it. */
function scalarAsTyped(text: string): string {
  if (isNothing(text)) return "null";
  return /^(?:[A-Za-z0-9][\w -]*(?<! )|[-+]?[\d.]+)$/.test(text) ? text : quotedScalar(text);
}
