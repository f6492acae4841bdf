import { isDeepStrictEqual } from "node:util";
import {
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  stringify,
} from "yaml";
import { recall } from "./last-reading.ts";

/** One change to a YAML text. `value: undefined` removes. A path may end in a list's index; its length appends. */
export interface YamlEdit {
  path: (string | number)[];
  value: unknown;
}

const PRINT = { lineWidth: 0, indent: 2 } as const;

/** Where a block would swallow the lines that follow it. */
const ON_ONE_LINE = {
  ...PRINT,
  defaultStringType: "QUOTE_DOUBLE",
  defaultKeyType: "PLAIN",
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
} as const;

type Print = (value: unknown) => string;
export const printYaml: Print = (value) => stringify(value, PRINT);
const printQuoted: Print = (value) => stringify(value, ON_ONE_LINE);

/** Bytes of the source that give way to a text. */
interface Splice {
  from: number;
  to: number;
  text: string;
}

/**
 * Splices edits into the source text, so that comments, order, unknown keys and spacing elsewhere stay as they are
 * (yaml's own printer would rewrite them). All paths are meant as the source stands, so any number of edits costs one
 * reading before and one after, which checks them. Where the source is too unusual to splice (explicit keys), the
 * document is edited as a tree and printed instead.
 */
export function editYaml(source: string, edits: YamlEdit[]): string {
  const known = recall(source) as { document: Document.Parsed; value: unknown } | undefined;
  const document = known?.document ?? parseDocument(source, { uniqueKeys: false });
  const expected = applyToValue(known?.value ?? document.toJS() ?? {}, edits);
  for (const print of [printYaml, printQuoted]) {
    const splices = edits.map((edit) => spliceOf({ source, print }, document.contents as Node | null, edit));
    const spliced = splices.every((each) => each !== undefined) ? applySplices(source, splices) : undefined;
    if (spliced !== undefined && isDeepStrictEqual(valueOf(spliced), expected)) return spliced;
  }
  if (edits.length > 1) return inOrder(edits).reduce((text, edit) => editYaml(text, [edit]), source);
  const tree = parseDocument(source, { uniqueKeys: false });
  for (const { path, value } of edits) {
    if (value === undefined) tree.deleteIn(path);
    else tree.setIn(path, tree.createNode(value));
  }
  return tree.toString(PRINT);
}

function valueOf(text: string): unknown {
  const document = parseDocument(text, { uniqueKeys: false });
  return document.errors.length ? document.errors : (document.toJS() ?? {});
}

/** Removals last and from the end, so that no path changes its meaning on the way. */
function inOrder(edits: YamlEdit[]): YamlEdit[] {
  const removals = edits.filter(({ value }) => value === undefined);
  return [
    ...edits.filter(({ value }) => value !== undefined),
    ...removals.toSorted((a, b) => compareSteps(b.path.at(-1)!, a.path.at(-1)!)),
  ];
}
const compareSteps = (a: string | number, b: string | number) => (typeof a === "number" && typeof b === "number" ? a - b : 0);

function applyToValue(root: unknown, edits: YamlEdit[]): unknown {
  const copy = structuredClone(root);
  for (const { path, value } of inOrder(edits)) {
    let holder = copy as Record<string | number, unknown>;
    for (const step of path.slice(0, -1)) holder = holder[step] as Record<string | number, unknown>;
    const last = path.at(-1)!;
    if (value === undefined && Array.isArray(holder)) holder.splice(last as number, 1);
    else if (value === undefined) delete holder[last];
    else if (Array.isArray(holder) && (last as number) >= holder.length) holder.push(structuredClone(value));
    else holder[last] = structuredClone(value);
  }
  return copy;
}

/** Undefined where two of them touch the same bytes. */
function applySplices(source: string, splices: Splice[]): string | undefined {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, text } of splices.toSorted((a, b) => a.from - b.from)) {
    if (from < at) return undefined;
    parts.push(source.slice(at, from), text);
    at = to;
  }
  return [...parts, source.slice(at)].join("");
}

interface Work {
  source: string;
  print: Print;
}

function spliceOf(work: Work, root: Node | null, { path, value }: YamlEdit): Splice | undefined {
  let node: unknown = root;
  for (const step of path.slice(0, -1)) {
    if (isMap(node)) node = pairOf(node, step)?.value;
    else if (isSeq(node)) node = node.items[step as number];
    else return undefined;
  }
  const last = path.at(-1)!;
  if (isMap(node)) return (node.flow ? spliceIntoFlowMap : spliceIntoMap)(work, node, { key: String(last), value });
  if (isSeq(node) && !node.flow) return spliceIntoList(work, node, { index: last as number, value });
  return undefined;
}

const pairOf = (map: YAMLMap, key: string | number) =>
  map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(key)) as Pair | undefined;

interface Entry {
  key: string;
  value: unknown;
}

function spliceIntoMap({ source, print }: Work, map: YAMLMap, { key, value }: Entry): Splice | undefined {
  const indent = columnOf(source, map.range![0]);
  const pair = pairOf(map, key);
  const lines = value === undefined ? "" : indented(print({ [key]: value }), indent);
  if (!pair) return insertion(source, endOfLast(source, map), indentFirst(lines, indent));
  const start = startOf(pair.key)!;
  const end = endOf(pair);
  if (end === undefined) return undefined;
  if (value === undefined) return { from: lineStart(source, start), to: nextLine(source, end), text: "" };
  return replacement(source, { from: start, to: end, comment: commentBetween(source, pair) }, lines);
}

/** JSON is a flow value too. */
function spliceIntoFlowMap(_work: Work, map: YAMLMap, { key, value }: Entry): Splice | undefined {
  const pair = pairOf(map, key);
  const text = `${key}: ${JSON.stringify(value)}`;
  const last = map.items.at(-1);
  const end = pair ? endOf(pair) : last && endOf(last);
  if (value === undefined || end === undefined) return undefined;
  return pair ? { from: startOf(pair.key)!, to: end, text } : { from: end, to: end, text: `, ${text}` };
}

function spliceIntoList({ source, print }: Work, list: YAMLSeq, { index, value }: { index: number; value: unknown }): Splice | undefined {
  const first = dashBefore(source, startOf(list.items[0]));
  if (first === undefined) return undefined;
  const indent = columnOf(source, first);
  const lines = value === undefined ? "" : indented(print([value]), indent);
  if (index >= list.items.length) return insertion(source, endOfLast(source, list), indentFirst(lines, indent));
  const start = dashBefore(source, startOf(list.items[index]));
  const end = endOf(list.items[index]);
  if (start === undefined || end === undefined) return undefined;
  if (value === undefined) return { from: lineStart(source, start), to: nextLine(source, end), text: "" };
  return replacement(source, { from: start, to: end, comment: "" }, lines);
}

/** A comment behind the old value stays; where the new one takes several lines, it moves up to the first. */
function replacement(source: string, { from, to, comment }: { from: number; to: number; comment: string }, lines: string): Splice {
  const text = lines.slice(0, -1);
  if (source[to - 1] === "\n") return { from, to, text: `${withComment(text, comment)}\n` };
  const behind = /[ \t]*(#[^\n]*)?/y;
  behind.lastIndex = to;
  const [rest, trailing = ""] = behind.exec(source)!;
  if (comment === "" && !text.includes("\n")) return { from, to, text };
  return { from, to: to + rest.length, text: withComment(text, comment || trailing) };
}

/** `description: # why` with the text below: the comment stays with its key. */
function commentBetween(source: string, pair: Pair): string {
  const keyEnd = (pair.key as Node).range?.[1] ?? 0;
  const start = startOf(pair.value) ?? keyEnd;
  return /^\s*:[ \t]*(#[^\n]*)\n/.exec(source.slice(keyEnd, start))?.[1] ?? "";
}

function withComment(text: string, comment: string): string {
  const end = text.includes("\n") ? text.indexOf("\n") : text.length;
  return comment === "" ? text : `${text.slice(0, end)} ${comment}${text.slice(end)}`;
}

/** Where the last thing inside ends: a block's own end lies behind the comments and blank lines that follow it. */
function endOf(node: unknown): number | undefined {
  if (isPair(node)) return endOf(node.value) ?? endOf(node.key);
  if ((isMap(node) || isSeq(node)) && !node.flow && node.items.length) return endOf(node.items.at(-1));
  return (node as Node | null)?.range?.[1];
}

const startOf = (node: unknown) => (node as Node | undefined)?.range?.[0];
const lineStart = (source: string, offset: number) => source.lastIndexOf("\n", offset - 1) + 1;
const columnOf = (source: string, offset: number) => offset - lineStart(source, offset);

/** A value's end may lie behind the newline (block scalars, collections) or before a trailing comment (scalars). */
function nextLine(source: string, end: number): number {
  if (source[end - 1] === "\n") return end;
  const newline = source.indexOf("\n", end);
  return newline < 0 ? source.length : newline + 1;
}

const endOfLast = (source: string, collection: YAMLMap | YAMLSeq) => nextLine(source, endOf(collection) ?? collection.range![1]);

function insertion(source: string, at: number, text: string): Splice {
  return { from: at, to: at, text: at === 0 || source[at - 1] === "\n" ? text : `\n${text}` };
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
