import type { ZodType } from "zod";
import { EnvoyError, type Issue } from "../../schemas/errors.ts";
import { type Node, type YamlText, isMap, isScalar, isSeq, readYaml } from "../system/yaml/read.ts";

export interface Checked<T> {
  value: T;
  yaml: YamlText;
}

/** Reads YAML against a schema; every mistake is reported at once, with its line in the whole file. */
export function readCheckedYaml<T>(
  text: string,
  schema: ZodType<T>,
  { file, firstLine = 1 }: { file: string; firstLine?: number },
): Checked<T> {
  const yaml = readYaml(text);
  if (!yaml.ok) throw damaged(file, yaml.issues, firstLine);
  const checked = schema.safeParse(yaml.value);
  if (checked.success) return { value: checked.data, yaml };
  const issues = checked.error.issues.map(({ path, message }) => ({
    ...yaml.at(offsetOf(yaml.document.contents as unknown as Node, path as (string | number)[])),
    path: path.join("."),
    message: plainMessage(message),
  }));
  throw damaged(file, issues, firstLine);
}

function damaged(file: string, issues: Issue[], firstLine: number): EnvoyError {
  return new EnvoyError("invalid_file", {
    file,
    issues: issues.map((issue) => ({ file, ...issue, line: (issue.line ?? 1) + firstLine - 1 })),
  });
}

/** Where the deepest part of the path that exists begins. */
function offsetOf(root: Node, path: (string | number)[]): number {
  let node: unknown = root;
  let offset = root.range?.[0] ?? 0;
  for (const step of path) {
    let next: unknown;
    if (isMap(node)) next = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))?.value;
    else if (isSeq(node)) next = node.items[step as number];
    const start = (next as Node | undefined)?.range?.[0];
    if (start === undefined) break;
    node = next;
    offset = start;
  }
  return offset;
}

export const plainMessage = (message: string): string => message.replace(/^Invalid input: /, "").replace(/^Invalid option: /, "");
