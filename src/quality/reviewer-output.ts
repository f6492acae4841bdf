// Finds a reviewer's answer in what it printed. Reviewers are language models: they put words before and after, or a
// fence around it. Anything that is not exactly one answer is none.
import { isDeepStrictEqual } from "node:util";
import type { ZodType } from "zod";

export type Answer<T> = { ok: true; value: T } | { ok: false; reason: string };

const MOST_STARTS = 2000;
/** Where known programs put the model's words when asked for JSON themselves (`claude -p --output-format json`, `gemini`). */
const WRAPPED_IN = ["result", "response"];

export function readAnswer<T>(output: string, schema: ZodType<T>): Answer<T> {
  const text = output.trim();
  if (text === "") return { ok: false, reason: "it printed nothing" };
  const wrapped = unwrap(text);
  if (wrapped !== undefined)
    return wrapped.failed ? { ok: false, reason: "it reported an error of its own" } : readAnswer(wrapped.text, schema);
  const objects = jsonObjects(text);
  if (objects.length === 0) return { ok: false, reason: "it printed no JSON object" };
  const checked = objects.map((object) => schema.safeParse(object));
  const fitting = objects.filter((_, i) => checked[i]!.success);
  if (fitting.length === 0) return { ok: false, reason: `its JSON does not have the needed shape: ${firstFault(checked.at(-1)!)}` };
  // A diff may contain an answer, and a reviewer may quote it: which one is meant cannot be told.
  if (!fitting.every((object) => isDeepStrictEqual(object, fitting[0]))) return { ok: false, reason: "it printed more than one answer" };
  return { ok: true, value: checked.find((each) => each.success)!.data! };
}

function firstFault({ error }: { error?: { issues: { path: PropertyKey[]; message: string }[] } | undefined }): string {
  const [issue] = error?.issues ?? [];
  return issue ? `${issue.path.map(String).join(".") || "the object"}: ${issue.message}` : "unknown";
}

function unwrap(text: string): { text: string; failed: boolean } | undefined {
  const whole = parseObject(text);
  const key = WRAPPED_IN.find((name) => typeof whole?.[name] === "string");
  return whole && key ? { text: whole[key] as string, failed: whole["is_error"] === true } : undefined;
}

/** Objects that begin on a line of their own; what lies inside one does not count again. */
function jsonObjects(text: string): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  let from = 0;
  for (const start of [...text.matchAll(/^[ \t]*\{/gm)].slice(0, MOST_STARTS)) {
    if (start.index < from) continue;
    const end = endOfObject(text, start.index);
    const object = end === undefined ? undefined : parseObject(text.slice(start.index, end));
    if (object) {
      found.push(object);
      from = end!;
    }
  }
  return found;
}

function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let i = start; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c === "\\") i++;
      else if (c === '"') quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === "{") depth++;
    else if (c === "}" && --depth === 0) return i + 1;
  }
  return undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
