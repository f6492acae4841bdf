// The only file that knows the JSON Schema validator. It interprets schemas and never makes code of them.
import { type Schema, type SchemaDraft, Validator } from "@cfworker/json-schema";

const DRAFTS: [RegExp, SchemaDraft][] = [
  [/draft-04/, "4"],
  [/draft-0[67]/, "7"],
  [/2019-09/, "2019-09"],
];

/** What is wrong with a value, in words; empty where nothing is. */
export function schemaProblems(schema: Record<string, unknown>, value: unknown): string[] {
  const draft = DRAFTS.find(([pattern]) => pattern.test(String(schema["$schema"] ?? "")))?.[1] ?? "2020-12";
  const { valid, errors } = new Validator(schema as Schema, draft, false).validate(value);
  if (valid) return [];
  // The innermost reasons come last; those around them only repeat that something inside is wrong.
  const deepest = errors.filter(({ keywordLocation }) => !errors.some((other) => other.keywordLocation.startsWith(`${keywordLocation}/`)));
  return deepest.map(({ instanceLocation, error }) => (instanceLocation === "#" ? error : `${instanceLocation.slice(2)}: ${error}`));
}
