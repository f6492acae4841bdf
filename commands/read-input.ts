import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { ZodType } from "zod";
import { EnvoyError } from "../schemas/errors.ts";
import { plainMessage } from "../src/stores/checked-yaml.ts";
import type { Context } from "./command.ts";

const MAX_BYTES = 64 * 1024 * 1024;

/** The text behind `--input FILE` or `--input -`; undefined where the flag was not given. */
export async function readInput(source: string | undefined, context: Context): Promise<string | undefined> {
  if (source === undefined) return undefined;
  const shown = source === "-" ? "on stdin" : JSON.stringify(source);
  const fail = (reason: string) => new EnvoyError("input_unreadable", { source: shown, reason });
  const bytes =
    source === "-"
      ? await context.stdin()
      : await readFile(resolve(context.cwd, source)).catch((error: NodeJS.ErrnoException) =>
          Promise.reject(fail(error.code ?? error.message)),
        );
  if (bytes.length === 0) throw fail(source === "-" ? "nothing arrived" : "the file is empty");
  if (bytes.length > MAX_BYTES) throw fail(`it is larger than ${MAX_BYTES} bytes`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw fail("it is not UTF-8 text");
  }
}

/** A text that a flag or `--input` may give, but not both. */
export async function longText(
  flag: { name: string; given: string | undefined },
  input: string | undefined,
  { context, command }: { context: Context; command: string },
): Promise<string | undefined> {
  if (flag.given !== undefined && input !== undefined)
    throw new EnvoyError("conflicting_flags", { flags: `${flag.name} and --input`, command });
  return flag.given ?? (await readInput(input, context));
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
