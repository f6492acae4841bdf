import { nearestName } from "../system/nearest-name.ts";
import { type FieldPath, fieldPaths } from "./field-paths.ts";
import type { FormDescription } from "./description.ts";
import { quote } from "./problem.ts";

/** Why a value was not set. */
export interface SetProblem {
  path: string;
  message: string;
  /** The field that was most likely meant. */
  nearest?: string;
}

/** Finds fields by their whole path, or by its last parts where only one field ends so. */
export function pathResolver(description: FormDescription): (given: string) => FieldPath | SetProblem {
  const fields = fieldPaths(description);
  const byPath = new Map(fields.map((field) => [field.path, field]));
  return (given) => {
    const whole = byPath.get(given);
    if (whole) return whole;
    const ending = fields.filter(({ path }) => path.endsWith(`.${given}`));
    if (ending.length === 1) return ending[0]!;
    if (ending.length) return { path: given, message: `${quote(given)} could be any of: ${listed(ending)}. Write more of the path.` };
    const inside = fields.filter(({ path }) => path.startsWith(`${given}.`) || path.startsWith(`${given}[`));
    if (inside.length) return { path: given, message: `${quote(given)} takes no value itself. Its fields: ${listed(inside)}.` };
    const nearest = nearestField(given, fields);
    if (nearest) return { path: given, message: `${quote(given)} is not a field of this form. Did you mean "${nearest}"?`, nearest };
    return { path: given, message: `${quote(given)} is not a field of this form. Its fields: ${listed(fields)}.` };
  };
}

const MOST_LISTED = 12;
function listed(fields: readonly FieldPath[]): string {
  const shown = fields.slice(0, MOST_LISTED).map(({ path }) => path);
  return [...shown, ...(fields.length > MOST_LISTED ? [`and ${fields.length - MOST_LISTED} more`] : [])].join(", ");
}

/** A mistyped last part is as near as a mistyped path. */
function nearestField(given: string, fields: readonly FieldPath[]): string | undefined {
  const parts = given.split(".").length;
  const endings = new Map<string, string>();
  for (const { path } of fields) endings.set(path.split(".").slice(-parts).join("."), path);
  const nearest = nearestName(given, [...fields.map(({ path }) => path), ...endings.keys()]);
  return nearest && (endings.get(nearest) ?? nearest);
}
