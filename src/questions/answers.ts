// An answer as typed becomes the value that was asked for, in the form and on the command line alike.
import { chosen, numberOf, yesOrNo } from "../form/spoken-words.ts";
import type { ExpectedAnswer } from "./question.ts";

export type ReadAnswer = { ok: true; value: unknown } | { ok: false; problems: string[] };

const no = (...problems: string[]): ReadAnswer => ({ ok: false, problems });

/** `given` is a text, several texts (one per choice), or what a field of the form holds. */
export async function readAnswer(expected: ExpectedAnswer, given: unknown): Promise<ReadAnswer> {
  const read = valueOf(expected, given);
  if (!read.ok || !expected.schema) return read;
  const { schemaProblems } = await import("../system/json-schema.ts");
  const problems = schemaProblems(expected.schema, read.value);
  return problems.length ? no(...problems) : read;
}

/** A value that a program gives, of which a text is read as if it were typed. */
export function readValue(expected: ExpectedAnswer, value: unknown): Promise<ReadAnswer> {
  const typed = typeof value === "string" || (Array.isArray(value) && expected.kind === "multi_choice") || typeof value === expected.kind;
  return readAnswer(expected, typed ? value : JSON.stringify(value));
}

function valueOf({ kind, choices = [] }: ExpectedAnswer, given: unknown): ReadAnswer {
  if (kind === "multi_choice") return several(choices, given);
  if (Array.isArray(given)) return given.length === 1 ? valueOf({ kind, choices }, given[0]) : no("Only one answer is expected.");
  if (typeof given === "string" && given.trim() === "") return no("The answer is empty.");
  switch (kind) {
    case "text":
      return { ok: true, value: String(given) };
    case "boolean": {
      const value = typeof given === "boolean" ? given : yesOrNo(String(given));
      return value === undefined ? no(`${JSON.stringify(given)} is neither yes nor no.`) : { ok: true, value };
    }
    case "number": {
      const value = typeof given === "number" ? given : numberOf(String(given));
      return value === undefined ? no(`${JSON.stringify(given)} is not a number.`) : { ok: true, value };
    }
    case "json":
      return json(String(given));
    case "single_choice": {
      const value = chosen(String(given), choices);
      return value === undefined ? no(`${JSON.stringify(given)} is none of ${choices.join(", ")}.`) : { ok: true, value };
    }
  }
}

function json(text: string): ReadAnswer {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    return no(`This is not JSON: ${(error as Error).message}.`);
  }
}

/** From the form: a yes or no for each choice. From a program: the chosen ones, also as one text with a line for each. */
function several(choices: readonly string[], given: unknown): ReadAnswer {
  const words = Array.isArray(given)
    ? given.map(String)
    : typeof given === "object" && given !== null
      ? choices.filter((choice) => (given as Record<string, unknown>)[choice] === true)
      : String(given).split("\n");
  const asked = words.map((word) => word.trim()).filter((word) => word !== "");
  if (!asked.length) return no("None of the choices was chosen.");
  const unknown = asked.filter((word) => chosen(word, choices) === undefined);
  if (unknown.length) return no(`${unknown.map((word) => JSON.stringify(word)).join(", ")}: none of ${choices.join(", ")}.`);
  const wanted = new Set(asked.map((word) => chosen(word, choices)));
  return { ok: true, value: choices.filter((choice) => wanted.has(choice)) };
}
