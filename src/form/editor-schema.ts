import { FINISHED, NO, YES } from "./spoken-words.ts";

/** JSON Schema as plain data: what editors complete and underline by. */
export interface JsonSchema {
  [keyword: string]: unknown;
}

export interface EditorHelp {
  title: string;
  /** What an editor shows beside `done`. */
  doneHelp: string;
}

/**
 * The schema of a form's answers as an editor should apply it: it offers the usual spelling and underlines only what
 * envoy would not take. Nothing is wrong with a field that is not answered yet.
 */
export function editorSchema(answers: JsonSchema, { title, doneHelp }: EditorHelp): JsonSchema {
  const lenient = leniently(answers) as JsonSchema & { properties?: JsonSchema; required?: string[] };
  return {
    ...lenient,
    $schema: "http://json-schema.org/draft-07/schema#",
    title,
    properties: { ...lenient.properties, done: { ...words([...YES, ...NO, ...FINISHED]), description: doneHelp } },
    required: [...(lenient.required ?? []), "done"],
  };
}

/** Rules about an answer's content are told when the form is finished, by the gate and in its words. */
const TOLD_LATER = new Set(
  "$schema default format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum propertyNames".split(" "),
);

function leniently(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([keyword]) => !TOLD_LATER.has(keyword));
  const own: JsonSchema = Object.fromEntries(kept.map(([keyword, value]) => [keyword, below(keyword, value)]));
  const { enum: choices, type, ...rest } = own;
  if (Array.isArray(choices)) return { ...rest, ...anyCase(choices as unknown[]) };
  if (type === "boolean") return { ...rest, ...words([...YES, ...NO]) };
  if (type === "string") return { ...rest, type: ["string", "number", "boolean", "null"] };
  if (type === "number" || type === "integer")
    return { ...rest, type: ["number", "string", "null"], pattern: "^[-+]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][-+]?\\d+)?$" };
  return type === "object" && own["properties"] ? { additionalProperties: false, ...own } : own;
}

function below(keyword: string, value: unknown): unknown {
  if (keyword === "properties" || keyword === "definitions" || keyword === "$defs")
    return Object.fromEntries(Object.entries(value as JsonSchema).map(([key, own]) => [key, leniently(own as JsonSchema)]));
  if (keyword === "anyOf" || keyword === "oneOf" || keyword === "allOf") return (value as JsonSchema[]).map(leniently);
  if ((keyword === "items" || keyword === "additionalProperties") && typeof value === "object") return leniently(value as JsonSchema);
  return value;
}

/** Editors offer true and false; the other words are merely not underlined. */
const words = (spoken: readonly string[]): JsonSchema => ({ type: ["boolean", "string", "null"], pattern: pattern(spoken) });

function anyCase(choices: readonly unknown[]): JsonSchema {
  const names = choices.filter((choice) => typeof choice === "string");
  return { anyOf: [{ enum: choices }, { type: "string", pattern: pattern(names) }, { type: "null" }] };
}

/** JSON Schema has no flag for it, so each letter stands there in both cases. */
function pattern(names: readonly string[]): string {
  const either = (letter: string) => {
    const [low, high] = [letter.toLowerCase(), letter.toUpperCase()];
    return low === high ? letter.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") : `[${low}${high}]`;
  };
  return `^(${names.map((name) => [...name].map(either).join("")).join("|")})$`;
}
