import { readFileSync } from "node:fs";
import type { FormDescription, FormValues, WrittenForm } from "../../src/form/index.ts";

const typed = new URL("../../fixtures/forms/typed/", import.meta.url);

/** The form into which every case of fixtures/forms/typed was typed. */
export const typedForm: WrittenForm = {
  description: JSON.parse(readFileSync(new URL("form.json", typed), "utf8")) as FormDescription,
  written: readFileSync(new URL("form.yaml", typed), "utf8"),
};

export const typedFile = (name: string): string => readFileSync(new URL(name, typed), "utf8");

/** What a person does who agrees: sets `done: true` and saves. */
export const confirmed = (text: string): string => text.replace(/^done: false(?=\r?$)/m, "done: true");

/** Quotes, the form's own signs and the case of its keys may go when a text is set properly; words may not. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/["'\\“”]/g, "")
    .split(/[\s:]+/)
    .map((word) => word.replace(/^[#|>]+|[#|>]+$/g, ""))
    .filter(Boolean);

/** Words that the person typed, other than a yes, are nowhere in the text handed back. */
export function lostWords(form: WrittenForm, saved: string, handedBack: string): string[] {
  const own = new Set([...wordsOf(form.written), "true", "[x]"].map((word) => word.toLowerCase()));
  const kept = wordsOf(handedBack).join(" ");
  return wordsOf(saved).filter((word) => !own.has(word.toLowerCase()) && !kept.includes(word));
}

/** `{ "a.0.b": 1 }` for `{ a: [{ b: 1 }] }`. */
export function flatValues(values: FormValues): Record<string, unknown> {
  const flat: Record<string, unknown> = {};
  const visit = (value: unknown, path: string): void => {
    if (value === null || typeof value !== "object") flat[path] = value;
    else for (const [key, own] of Object.entries(value)) visit(own, path ? `${path}.${key}` : key);
  };
  visit(values, "");
  return flat;
}
