import type { FormDescription, FormValue, FormValues, ScalarField } from "./description.ts";
import { isEmptyContainer } from "./key-lines.ts";
import type { FormLayout } from "./layout.ts";
import { type Problem, SAYS } from "./problem.ts";
import { chosen, isNothing, numberOf, yesOrNo } from "./spoken-words.ts";

export interface Converted {
  values: FormValues;
  /** Fields whose text is not what they take. */
  problems: Omit<Problem, "line">[];
}

/** Turns the texts of all fields into values, in the shape of the description. */
export function toValues(description: FormDescription, layout: FormLayout, texts: readonly (string | undefined)[]): Converted {
  const values: FormValues = {};
  const problems: Converted["problems"] = [];
  fillEmptyContainers(values, description);
  layout.keys.forEach(({ path, field, indent }, k) => {
    if (field === "done") return;
    const text = texts[k] ?? "";
    const refuse = (message: string) => problems.push({ key: k, column: indent + 1, message });
    if (field.kind === "group") setAt(values, path, {});
    else if (field.kind === "list")
      setAt(
        values,
        path,
        field.items.map(() => ({})),
      );
    else if (field.kind === "fixed") setAt(values, path, field.text);
    else if (field.kind === "text") {
      setAt(values, path, text);
      if (field.required && text.trim() === "") refuse(SAYS.answerNeeded);
    } else setAt(values, path, scalarValue(field, text, refuse));
  });
  return { values, problems };
}

function fillEmptyContainers(values: FormValues, { fields }: Pick<FormDescription, "fields">): void {
  for (const field of fields) if (isEmptyContainer(field)) values[field.key] = field.kind === "list" ? [] : {};
}

function scalarValue(field: ScalarField, text: string, refuse: (message: string) => void): FormValue {
  const empty = isNothing(text);
  if (empty && field.optional) return null;
  const typed = empty ? "" : text;
  if (field.kind === "yesno") return yesOrNo(typed) ?? refused(() => refuse(SAYS.yesOrNo(typed)));
  if (field.kind === "number") return numberOf(typed) ?? refused(() => refuse(SAYS.number(typed)));
  return chosen(text, field.choices) ?? refused(() => refuse(SAYS.choice(typed, field.choices)));
}

function refused(tell: () => void): null {
  tell();
  return null;
}

/** Keys come from data: defined as own properties, so that none of them can reach a prototype. */
function setAt(values: FormValues, path: readonly (string | number)[], value: FormValue): void {
  let holder = values as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) holder = holder[step] as Record<string | number, unknown>;
  Object.defineProperty(holder, path.at(-1)!, { value, enumerable: true, writable: true, configurable: true });
}
