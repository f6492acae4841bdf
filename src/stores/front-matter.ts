import type { ZodType } from "zod";
import { EnvoyError } from "../../schemas/errors.ts";
import { editYaml, printYaml } from "../system/yaml/edit.ts";
import { readCheckedYaml } from "./checked-yaml.ts";

/** A Markdown text with YAML between two `---` lines at its top. */
export interface FrontMatterText<T> {
  file: string;
  text: string;
  front: T;
  body: string;
}

export function readFrontMatter<T>(file: string, text: string, schema: ZodType<T>): FrontMatterText<T> {
  const { yaml, body } = splitFrontMatter(file, text);
  return { file, text, front: readCheckedYaml(yaml, schema, { file, firstLine: 2 }).value, body };
}

/** Sets keys and, where given, the body; every other byte stays. Keys set to undefined are left alone. */
export function editFrontMatter(source: { file: string; text: string }, keys: Record<string, unknown>, body?: string): string {
  const { yaml, fence, body: oldBody } = splitFrontMatter(source.file, source.text);
  const edits = Object.entries(keys)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ path: [key], value }));
  return joinFrontMatter(editYaml(yaml, edits), body ?? oldBody, fence);
}

export const newFrontMatter = (keys: Record<string, unknown>, body: string): string => joinFrontMatter(printYaml(keys), body);

function joinFrontMatter(yaml: string, body: string, fence = "---\n"): string {
  return `---\n${yaml}${yaml === "" || yaml.endsWith("\n") ? "" : "\n"}${body && !fence.endsWith("\n") ? `${fence}\n` : fence}${body}`;
}

/** `fence` is the closing line as it stands, so that it survives byte for byte. */
function splitFrontMatter(file: string, text: string): { yaml: string; fence: string; body: string } {
  if (!text.startsWith("---\n")) throw missing(file, 1, "the front matter is missing: the first line must be `---`");
  const end = /^---[ \t]*(?:\n|$(?![\s\S]))/m.exec(text.slice(4));
  if (!end) throw missing(file, 1, "the front matter has no end: a second line `---` is missing");
  const fenceStart = 4 + end.index;
  return { yaml: text.slice(4, fenceStart), fence: end[0], body: text.slice(fenceStart + end[0].length) };
}

const missing = (file: string, line: number, message: string) =>
  new EnvoyError("invalid_file", { file, issues: [{ file, line, column: 1, message }] });
