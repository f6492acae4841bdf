import type { ZodType } from "zod";
import { EnvoyError, type Issue } from "../../schemas/errors.ts";
import { nearestName } from "../system/nearest-name.ts";
import { type Node, type YamlText, isMap, isScalar, isSeq, readYaml } from "../system/yaml/read.ts";
import { knownKeys } from "./known-keys.ts";

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
  const root = yaml.document.contents as unknown as Node;
  const issues = checked.error.issues.flatMap((issue): Issue[] => {
    const path = issue.path as (string | number)[];
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({ ...yaml.at(keyOffset(root, path, key)), ...unknownKey(key, knownKeys(schema, path), path) }));
    }
    return [{ ...yaml.at(offsetOf(root, path)), path: path.join("."), message: plainMessage(issue.message) }];
  });
  throw damaged(file, issues.toSorted(byPlace), firstLine);
}

function unknownKey(key: string, known: string[], path: (string | number)[]): Issue {
  const near = nearestName(key, known);
  const hint = near ? `did you mean \`${near}\`?` : `known here are ${known.join(", ")}`;
  return { path: [...path, key].join("."), message: `the key \`${key}\` is not known here; ${hint}` };
}

const byPlace = (a: Issue, b: Issue) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);

function damaged(file: string, issues: Issue[], firstLine: number): EnvoyError {
  return new EnvoyError("invalid_file", {
    file,
    issues: issues.map((issue) => ({ file, ...issue, line: (issue.line ?? 1) + firstLine - 1 })),
  });
}

/** The deepest part of the path that exists. */
export function nodeAt(root: Node, path: (string | number)[]): Node {
  let node: unknown = root;
  for (const step of path) {
    let next: unknown;
    if (isMap(node)) next = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))?.value;
    else if (isSeq(node)) next = node.items[step as number];
    if (!(next as Node | undefined)?.range) break;
    node = next;
  }
  return node as Node;
}

const offsetOf = (root: Node, path: (string | number)[]): number => nodeAt(root, path).range?.[0] ?? 0;

function keyOffset(root: Node, path: (string | number)[], key: string): number {
  const holder: unknown = nodeAt(root, path);
  const pair = isMap(holder) ? holder.items.find((item) => isScalar(item.key) && String(item.key.value) === key) : undefined;
  return (pair?.key as Node | undefined)?.range?.[0] ?? offsetOf(root, path);
}

export const plainMessage = (message: string): string => message.replace(/^Invalid input: /, "").replace(/^Invalid option: /, "");
