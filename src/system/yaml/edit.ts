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
 * (yaml's own printer would rewrite them). All paths are those of the source, whatever the other edits do. The result is
 * read back once; where the source is too unusual to splice (flow style, explicit keys), the document is edited as a
 * tree and printed instead.
 */
export function editYaml(source: string, edits: YamlEdit[]): string {
  if (!edits.length) return source;
  const document = parseDocument(source, { uniqueKeys: false });
  const ordered = edits.toSorted((a, b) => comparePaths(b.path, a.path)); // from the end, so that indices stay true
  const expected = applyToValue(document.toJS() ?? {}, ordered);
  const spliced = spliceAll(source, document.contents as Node | null, edits);
  if (spliced !== undefined && isDeepStrictEqual(valueOf(spliced), expected)) return spliced;
  for (const { path, value } of ordered) {
    if (value === undefined) document.deleteIn(path);
    else document.setIn(path, document.createNode(value));
  }
  return document.toString(PRINT);
}

function comparePaths(a: YamlEdit["path"], b: YamlEdit["path"]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [x, y] = [a[i]!, b[i]!];
    if (typeof x === "number" && typeof y === "number" && x !== y) return x - y;
    if (x !== y) return String(x) < String(y) ? -1 : 1;
  }
  return a.length - b.length;
}

function valueOf(text: string): unknown {
  const document = parseDocument(text, { uniqueKeys: false });
  return document.errors.length ? document.errors : (document.toJS() ?? {});
}

function applyToValue(root: unknown, edits: YamlEdit[]): unknown {
  for (const { path, value } of edits) {
    let holder = root as Record<string | number, unknown>;
    for (const step of path.slice(0, -1)) holder = holder[step] as Record<string | number, unknown>;
    const last = path[path.length - 1]!;
    if (value !== undefined) holder[last] = structuredClone(value);
    else if (Array.isArray(holder)) holder.splice(last as number, 1);
    else delete holder[last];
  }
  return root;
}

/** The bytes from `start` to `end` give way to `text`. */
interface Splice {
  start: number;
  end: number;
  text: string;
}

function spliceAll(source: string, root: Node | null, edits: YamlEdit[]): string | undefined {
  const splices: Splice[] = [];
  for (const edit of edits) {
    const splice = spliceOf(source, root, edit);
    if (!splice) return undefined;
    splices.push(splice);
  }
  splices.sort((a, b) => a.start - b.start || a.end - b.end);
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text } of splices) {
    if (start < at) return undefined; // two edits of the same place
    parts.push(source.slice(at, start), text);
    at = end;
  }
  return parts.join("") + source.slice(at);
}

function spliceOf(source: string, root: Node | null, { path, value }: YamlEdit): Splice | undefined {
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

function spliceIntoMap(source: string, map: YAMLMap, { key, value }: { key: string; value: unknown }): Splice | undefined {
  const indent = columnOf(source, startOf(map.items[0]?.key) ?? map.range![0]);
  const pair = pairOf(map, key);
  const lines = value === undefined ? "" : indented(printYaml({ [key]: value }), indent);
  if (!pair) return value === undefined ? undefined : insertion(source, endOfLast(source, map), indentFirst(lines, indent));
  const end = valueEnd(pair);
  return end === undefined ? undefined : replacement(source, { start: startOf(pair.key)!, end, lines });
}

function spliceIntoList(source: string, list: YAMLSeq, { index, value }: { index: number; value: unknown }): Splice | undefined {
  const dash = dashBefore(source, startOf(list.items[index] ?? list.items[0]));
  if (dash === undefined) return undefined;
  const indent = columnOf(source, dash);
  const lines = value === undefined ? "" : indented(printYaml([value]), indent);
  if (index >= list.items.length) return insertion(source, endOfLast(source, list), indentFirst(lines, indent));
  const end = (list.items[index] as Node).range?.[1];
  return end === undefined ? undefined : replacement(source, { start: dash, end, lines });
}

/** Without new lines, the old ones go whole. */
function replacement(source: string, { start, end, lines }: { start: number; end: number; lines: string }): Splice {
  if (lines === "") return { start: lineStart(source, start), end: nextLine(source, end), text: "" };
  return { start, end, text: lines.slice(0, -1) + (source[end - 1] === "\n" ? "\n" : "") };
}

const startOf = (node: unknown) => (node as Node | undefined)?.range?.[0];
const valueEnd = (pair: Pair) => (pair.value as Node | null)?.range?.[1] ?? (pair.key as Node).range?.[1];
const lineStart = (source: string, offset: number) => source.lastIndexOf("\n", offset - 1) + 1;
const columnOf = (source: string, offset: number) => offset - lineStart(source, offset);

/** A value's end may lie behind the newline (block scalars, collections) or before a trailing comment (scalars). */
function nextLine(source: string, end: number): number {
  if (source[end - 1] === "\n") return end;
  const newline = source.indexOf("\n", end);
  return newline < 0 ? source.length : newline + 1;
}

const endOfLast = (source: string, collection: YAMLMap | YAMLSeq) => nextLine(source, collection.range![1]);

function insertion(source: string, offset: number, text: string): Splice {
  const joined = offset === 0 || source[offset - 1] === "\n" ? text : `\n${text}`;
  return { start: offset, end: offset, text: joined };
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
