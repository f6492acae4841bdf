import { isDeepStrictEqual } from "node:util";
import { type Node, type Pair, type YAMLMap, type YAMLSeq, isMap, isScalar, isSeq, parseDocument, stringify } from "yaml";

/** One change to a YAML text. `value: undefined` removes. A path may end in a list's index; its length appends. */
export interface YamlEdit {
  path: (string | number)[];
  value: unknown;
}

const PRINT = { lineWidth: 0, indent: 2 } as const;

export const printYaml = (value: unknown): string => stringify(value, PRINT);

/**
 * Splices edits into the source text, so that comments, order, unknown keys and spacing elsewhere stay as they are
 * (yaml's own printer would rewrite them). Every splice is checked by reading the result back; where the source is
 * too unusual to splice (flow style, explicit keys), that document is edited as a tree and printed instead.
 */
export function editYaml(source: string, edits: YamlEdit[]): string {
  return edits.reduce(editOnce, source);
}

function editOnce(source: string, edit: YamlEdit): string {
  const document = parseDocument(source, { uniqueKeys: false });
  const expected = applyToValue(document.toJS() ?? {}, edit);
  const spliced = splice(source, document.contents as Node | null, edit);
  if (spliced !== undefined && isDeepStrictEqual(valueOf(spliced), expected)) return spliced;
  if (edit.value === undefined) document.deleteIn(edit.path);
  else document.setIn(edit.path, document.createNode(edit.value));
  return document.toString(PRINT);
}

function valueOf(text: string): unknown {
  const document = parseDocument(text, { uniqueKeys: false });
  return document.errors.length ? document.errors : (document.toJS() ?? {});
}

function applyToValue(root: unknown, { path, value }: YamlEdit): unknown {
  const copy = structuredClone(root);
  let holder = copy as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) holder = holder[step] as Record<string | number, unknown>;
  const last = path[path.length - 1]!;
  if (value !== undefined) holder[last] = structuredClone(value);
  else if (Array.isArray(holder)) holder.splice(last as number, 1);
  else delete holder[last];
  return copy;
}

function splice(source: string, root: Node | null, { path, value }: YamlEdit): string | undefined {
  let node: unknown = root;
  for (const step of path.slice(0, -1)) {
    if (isMap(node)) node = pairOf(node, step)?.value;
    else if (isSeq(node)) node = node.items[step as number];
    else return undefined;
  }
  const last = path[path.length - 1]!;
  if (isMap(node) && !node.flow) return spliceIntoMap(source, node, { key: String(last), value });
  if (isSeq(node) && !node.flow) return spliceIntoList(source, node, { index: last as number, value });
  return undefined;
}

const pairOf = (map: YAMLMap, key: string | number) =>
  map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(key)) as Pair | undefined;

function spliceIntoMap(source: string, map: YAMLMap, { key, value }: { key: string; value: unknown }): string | undefined {
  const indent = columnOf(source, startOf(map.items[0]?.key) ?? map.range![0]);
  const pair = pairOf(map, key);
  const lines = value === undefined ? "" : indented(printYaml({ [key]: value }), indent);
  if (!pair) return insertAt(source, endOfLast(source, map), indentFirst(lines, indent));
  const start = startOf(pair.key)!;
  const end = valueEnd(pair);
  if (end === undefined) return undefined;
  if (value === undefined) return cut(source, lineStart(source, start), nextLine(source, end));
  return source.slice(0, start) + lines.slice(0, -1) + restAfter(source, end);
}

function spliceIntoList(source: string, list: YAMLSeq, { index, value }: { index: number; value: unknown }): string | undefined {
  const dashes = list.items.map((item) => dashBefore(source, startOf(item)));
  const first = dashes[0];
  if (first === undefined || dashes.some((d) => d === undefined)) return undefined;
  const indent = columnOf(source, first);
  const lines = value === undefined ? "" : indented(printYaml([value]), indent);
  if (index >= list.items.length) return insertAt(source, endOfLast(source, list), indentFirst(lines, indent));
  const start = dashes[index]!;
  const end = (list.items[index] as Node).range?.[1];
  if (end === undefined) return undefined;
  if (value === undefined) return cut(source, lineStart(source, start), nextLine(source, end));
  return source.slice(0, start) + lines.slice(0, -1) + restAfter(source, end);
}

const startOf = (node: unknown) => (node as Node | undefined)?.range?.[0];
const valueEnd = (pair: Pair) => (pair.value as Node | null)?.range?.[1] ?? (pair.key as Node).range?.[1];
const lineStart = (source: string, offset: number) => source.lastIndexOf("\n", offset - 1) + 1;
const columnOf = (source: string, offset: number) => offset - lineStart(source, offset);
const cut = (source: string, from: number, to: number) => source.slice(0, from) + source.slice(to);

/** A value's end may lie behind the newline (block scalars, collections) or before a trailing comment (scalars). */
function nextLine(source: string, end: number): number {
  if (source[end - 1] === "\n") return end;
  const newline = source.indexOf("\n", end);
  return newline < 0 ? source.length : newline + 1;
}
const restAfter = (source: string, end: number) => (source[end - 1] === "\n" ? "\n" : "") + source.slice(end);

const endOfLast = (source: string, collection: YAMLMap | YAMLSeq) => nextLine(source, collection.range![1]);

function insertAt(source: string, offset: number, text: string): string {
  const before = source.slice(0, offset);
  return before + (before === "" || before.endsWith("\n") ? "" : "\n") + text + source.slice(offset);
}

function indented(text: string, indent: number): string {
  const pad = " ".repeat(indent);
  return text.replace(/\n(?=[^\n])/g, `\n${pad}`);
}
const indentFirst = (text: string, indent: number) => " ".repeat(indent) + text;

function dashBefore(source: string, start: number | undefined): number | undefined {
  if (start === undefined) return undefined;
  const dash = source.lastIndexOf("-", start - 1);
  return dash >= 0 && /^-[ \n]+$/.test(source.slice(dash, start)) ? dash : undefined;
}
