import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { ZodType } from "zod";
import { EnvoyError } from "../schemas/errors.ts";
import { plainMessage } from "../src/stores/checked-yaml.ts";
import { MAX_INPUT_BYTES, readInputBytes } from "../src/system/input-bytes.ts";
import type { Context } from "./command.ts";

/** The text behind `--input FILE` or `--input -`; undefined where the flag was not given. */
export async function readInput(source: string | undefined, context: Context): Promise<string | undefined> {
  if (source === undefined) return undefined;
  const shown = source === "-" ? "on stdin" : JSON.stringify(source);
  const fail = (reason: string) => new EnvoyError("input_unreadable", { source: shown, reason });
  const reading = source === "-" ? context.stdin() : readInputBytes(createReadStream(resolve(context.cwd, source)));
  const bytes = await reading.catch((error: NodeJS.ErrnoException) => Promise.reject(fail(error.code ?? error.message)));
  if (bytes.length === 0) throw fail(source === "-" ? "nothing arrived" : "the file is empty");
  if (bytes.length > MAX_INPUT_BYTES) throw fail(`it is larger than ${MAX_INPUT_BYTES} bytes`);
  if (bytes.includes(0)) throw fail("it holds a NUL byte and is no text");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw fail("it is not UTF-8 text");
  }
}

/** A text that a flag or `--input` may give, but not both. Its lines end with LF, as in all files of a plan. */
export async function longText(
  flag: { name: string; given: string | undefined },
  input: string | undefined,
  { context, command }: { context: Context; command: string },
): Promise<string | undefined> {
  if (flag.given !== undefined && input !== undefined)
    throw new EnvoyError("conflicting_flags", { flags: `${flag.name} and --input`, command });
  return (flag.given ?? (await readInput(input, context)))?.replaceAll("\r\n", "\n");
}

function checkInput<T>(source: string, value: unknown, schema: ZodType<T>): T {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const issues = checked.error.issues.map(({ path, message }) => ({ path: path.join("."), message: plainMessage(message) }));
  throw new EnvoyError("invalid_input", { source, issues });
}

/** JSON is YAML too, so one reader serves both and names line and column. */
export async function parseInput<T>(source: string, text: string, schema: ZodType<T>): Promise<T> {
  const { readYaml } = await import("../src/system/yaml/read.ts");
  const yaml = readYaml(text);
  if (!yaml.ok) throw new EnvoyError("invalid_input", { source, issues: yaml.issues });
  return checkInput(source, yaml.value, schema);
}
