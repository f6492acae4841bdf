import type { Table } from "../../../commands/command.ts";
import { visibleLine } from "../../system/visible-text.ts";

/** Columns aligned by spaces; the header in bold where colours are allowed. */
export function renderTable({ columns, rows, empty }: Table, colour: boolean): string {
  if (rows.length === 0) return `${empty}\n`;
  const cells = [columns.map((column) => column.toUpperCase()), ...rows.map((row) => row.map(visibleLine))];
  const widths = columns.map((_, i) => Math.max(...cells.map((row) => [...row[i]!].length)));
  const lines = cells.map((row) =>
    row
      .map((cell, i) => cell + " ".repeat(widths[i]! - [...cell].length))
      .join("  ")
      .trimEnd(),
  );
  const [header, ...body] = lines;
  return `${[colour ? `\u001b[1m${header}\u001b[22m` : header, ...body].join("\n")}\n`;
}
