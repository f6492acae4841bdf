// The form as text: written from its description, read twice, marked and mended. Everything in this room is a
// pure function from text to text.
import { helpLines, quotedLines, quotedScalar, safeLine } from "./agent-text.ts";
import type { FormDescription } from "./description.ts";
import { type KeyLine, keyLines, textIndent } from "./key-lines.ts";

const HOW_TO = "Write your text on the empty line below a field. When finished: set done: true at the end and save.";
export const DONE_HELP = "Set to true when finished, then save";

export interface FormIdentity {
  gateId: string;
}

export function writeForm(description: FormDescription, { gateId }: FormIdentity): string {
  const lines = [...helpLines([...description.title, HOW_TO])];
  if (description.schemaPath) lines.push(`# yaml-language-server: $schema=${encodeURI(description.schemaPath)}`);
  lines.push("");
  for (const line of keyLines(description)) {
    const above = commentsAbove(line);
    if (standsApart(line) && lines.at(-1)?.trim()) lines.push("");
    lines.push(...above.map((comment) => " ".repeat(commentColumn(line)) + comment), ...templateLines(line));
  }
  return `${lines.join("\n")}\n${endLine(gateId)}\n`;
}

export const endLine = (gateId: string): string => `# end of form ${gateId} (keep this line)`;

const ANY_END_LINE = /^# end of form ([gq]_[0-9a-z]+) \(keep this line\)[ \t]*\r?$/gm;

/** The gates whose last line stands in the text. */
export const gatesNamedIn = (text: string): string[] => [...text.matchAll(ANY_END_LINE)].map(([, id]) => id!);

export const commentColumn = (line: KeyLine): number => (line.dash ? line.indent - 2 : line.indent);

function commentsAbove(line: KeyLine): string[] {
  if (line.field === "done") return helpLines([DONE_HELP]);
  const gone = line.field.gone || line.item?.gone ? ["What this was about no longer exists; your text is kept and passed on."] : [];
  return [
    ...helpLines(gone),
    ...quotedLines(line.item?.notes ?? ""),
    ...quotedLines(line.field.notes ?? ""),
    ...helpLines(line.field.help ?? []),
  ];
}

/** A blank line goes before it. */
export const standsApart = (line: KeyLine) => line.indent === 0 || line.dash || (line.field !== "done" && line.field.kind === "group");

/** The key line itself, and for a text field the empty line to type on. */
export function templateLines(line: KeyLine): string[] {
  const head = keyHead(line);
  if (line.field === "done") return [`${head} false`];
  switch (line.field.kind) {
    case "text":
      return [`${head} |`, " ".repeat(textIndent(line))];
    case "fixed":
      return [`${head} ${quotedScalar(line.field.text)}`];
    case "group":
    case "list":
      return [head];
    default:
      return [`${head} ${scalarText(line.field.initial)}`];
  }
}

/** Indentation, dash, key and colon. */
export function keyHead(line: KeyLine): string {
  const before = line.dash ? `${" ".repeat(line.indent - 2)}- ` : " ".repeat(line.indent);
  return `${before}${keyText(line.key)}:`;
}

/** A decision as a plain word, or quoted where YAML would read something else into it. */
function scalarText(value: string | number | boolean | null): string {
  if (typeof value !== "string") return String(value);
  return /^(?!(?:true|false|null)$)[A-Za-z][\w -]*(?<! )$/i.test(value) ? value : quotedScalar(safeLine(value));
}

/** Keys are names or numbers; whatever else a caller computes is quoted. */
const keyText = (key: string): string => (/^(?!(?:true|false|null)$)[A-Za-z0-9_][\w-]*$/i.test(key) ? key : quotedScalar(key));
