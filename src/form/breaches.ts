import { pathText } from "./key-lines.ts";
import { type FormLayout, doneIndex } from "./layout.ts";
import type { RuleBreach } from "./outcome.ts";
import type { Problem } from "./problem.ts";

/** Finds the key line that each broken rule concerns: its own, else the nearest one it lies in, else the end of the form. */
export function breachesAt(layout: FormLayout, breaches: readonly RuleBreach[]): Omit<Problem, "line">[] {
  if (!breaches.length) return [];
  const byPath = new Map(layout.keys.map(({ path }, k) => [pathText(path), k]));
  return breaches.map(({ path, message }) => {
    for (let length = path.length; length > 0; length--) {
      const k = byPath.get(pathText(path.slice(0, length)));
      if (k !== undefined) return { key: k, column: layout.keys[k]!.indent + 1, message };
    }
    return { key: doneIndex(layout), column: 1, message };
  });
}
