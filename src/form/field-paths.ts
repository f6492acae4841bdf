import type { FormDescription } from "./description.ts";
import { keyLines, pathText } from "./key-lines.ts";

/** A field that a person or a script fills in. */
export interface FieldPath {
  path: string;
  kind: "text" | "yesno" | "choice" | "number";
  choices?: readonly string[];
  required?: boolean;
}

/** Every field that takes a value, named as marks and `--set` name it, in the order of the form. */
export function fieldPaths(description: FormDescription): FieldPath[] {
  return keyLines(description).flatMap(({ path, field }): FieldPath[] => {
    if (field === "done" || field.kind === "fixed" || field.kind === "group" || field.kind === "list") return [];
    const required = field.kind === "text" ? field.required : !field.optional;
    const choices = field.kind === "choice" && { choices: field.choices };
    return [{ path: pathText(path), kind: field.kind, ...choices, ...(required && { required }) }];
  });
}
