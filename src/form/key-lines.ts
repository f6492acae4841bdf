import type { Field, FormDescription, ListItem } from "./description.ts";

/** One line of the form that carries a key, in the order in which the form is read. */
export interface KeyLine {
  key: string;
  path: (string | number)[];
  indent: number;
  /** It opens a list item: `- ` stands in the two columns before the key. */
  dash: boolean;
  field: Field | "done";
  item?: ListItem;
}

/** Column of the text below a text field. */
export const textIndent = (line: KeyLine): number => line.indent + 2;

export const DONE = "done";

/** Every key line that the description leads to. Groups and lists without entries have no line. */
export function keyLines(description: FormDescription): KeyLine[] {
  const lines: KeyLine[] = [];
  const visit = (fields: readonly Field[], path: (string | number)[], indent: number): void => {
    for (const field of fields) {
      if (isEmptyContainer(field)) continue;
      const own = [...path, field.key];
      lines.push({ key: field.key, path: own, indent, dash: false, field });
      if (field.kind === "group") visit(field.fields, own, indent + 2);
      if (field.kind === "list") field.items.forEach((item, index) => visitItem(item, [...own, index], indent + 4));
    }
  };
  const visitItem = (item: ListItem, path: (string | number)[], indent: number): void => {
    const first = lines.length;
    visit(item.fields, path, indent);
    const opening = lines[first];
    if (opening) Object.assign(opening, { dash: true, item });
  };
  visit(description.fields, [], 0);
  lines.push({ key: DONE, path: [DONE], indent: 0, dash: false, field: DONE });
  return lines;
}

export const isEmptyContainer = (field: Field): boolean =>
  (field.kind === "group" && field.fields.every(isEmptyContainer)) ||
  (field.kind === "list" && field.items.every((item) => item.fields.every(isEmptyContainer)));

/** `questions[0].answer`: how marks, messages and `--set` name a field. */
export const pathText = (path: readonly (string | number)[]): string =>
  path.map((step, i) => (typeof step === "number" ? `[${step}]` : i ? `.${step}` : step)).join("");
