import type { Table, Tone } from "../../../commands/command.ts";
import { visibleLine } from "../../system/visible-text.ts";

const TONES: Record<Tone, [string, string]> = {
  wanted: ["\u001b[33m", "\u001b[39m"],
  bad: ["\u001b[31m", "\u001b[39m"],
  past: ["\u001b[2m", "\u001b[22m"],
};

/** Columns aligned by spaces; headers in bold and rows in their tone where colours are allowed. */
export function renderTable(tables: Table | Table[], colour: boolean): string {
  return [tables]
    .flat()
    .map((table) => renderOne(table, colour))
    .join("\n");
}

function renderOne({ title, columns, rows, tones = [], sparse = false, empty }: Table, colour: boolean): string {
  const bold = (text: string) => (colour ? `\u001b[1m${text}\u001b[22m` : text);
  const heading = title === undefined ? "" : `${bold(title)}\n`;
  if (rows.length === 0) return `${heading}${empty}\n`;
  const shown = columns.map((_, i) => !sparse || rows.some((row) => row[i] !== ""));
  const cells = [columns.map((column) => column.toUpperCase()), ...rows.map((row) => row.map(visibleLine))].map((row) =>
    row.filter((_, i) => shown[i]),
  );
  const widths = cells[0]!.map((_, i) => Math.max(...cells.map((row) => widthOf(row[i]!))));
  const [header, ...body] = cells.map((row) =>
    row
      .map((cell, i) => cell + " ".repeat(widths[i]! - widthOf(cell)))
      .join("  ")
      .trimEnd(),
  );
  const toned = body.map((line, i) => (colour && tones[i] ? inTone(line, TONES[tones[i]]) : line));
  return `${heading}${[bold(header!), ...toned].join("\n")}\n`;
}

const inTone = (line: string, [on, off]: [string, string]): string => `${on}${line}${off}`;

const WIDE = /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/** Columns that a text takes on a terminal. */
const widthOf = (text: string): number =>
  [...text].reduce((width, character) => width + (/\p{M}/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1), 0);
