import { type Node, isMap, isScalar, isSeq, readYaml } from "../system/yaml/read.ts";
import type { KeyLine } from "./key-lines.ts";
import type { FormLayout } from "./layout.ts";

/** What YAML makes of one field. */
export type YamlValue =
  | { style: "missing" | "collection" }
  | { style: "empty"; text: "" }
  | { style: "plain" | "quoted" | "literal" | "folded"; text: string };

export interface YamlReading {
  ok: boolean;
  /** Same index as the layout's keys; containers have none. */
  values: (YamlValue | undefined)[];
  /** Keys that the form does not have, as written, with the path of their parent. */
  unknown: { key: string; offset: number; siblings: string[] }[];
  /** Whether any comment is left in the text. */
  commented: boolean;
  /** Why it is not YAML. */
  fault?: { line: number; column: number; message: string };
}

/** Deep enough for every form, far too shallow for a bomb. */
const MAX_DEPTH = 16;

export function readAsYaml(layout: FormLayout, text: string, maxBytes: number): YamlReading {
  const reading = readYaml(text, { maxBytes, maxDepth: MAX_DEPTH, maxPairs: 1000 + layout.keys.length * 2 });
  if (!reading.ok) {
    const [issue] = reading.issues;
    const fault = { line: (issue?.line ?? 1) - 1, column: issue?.column ?? 1, message: issue?.message ?? "" };
    return { ok: false, values: [], unknown: [], commented: true, fault };
  }
  const root = reading.document.contents as unknown as Node;
  const result: YamlReading = { ok: true, values: [], unknown: [], commented: hasComments(reading.document) };
  const lookup = new Lookup(result);
  for (const key of layout.keys) {
    const node = lookup.find(root, key, layout);
    result.values.push(isContainer(key) ? undefined : valueOf(node));
    if (isSeq(node) && key.field !== "done" && key.field.kind === "list") refuseMoreItems(result, node, key.field.items.length);
  }
  return result;
}

function refuseMoreItems(result: YamlReading, list: { items: unknown[] }, known: number): void {
  for (const item of list.items.slice(known, known + 1)) {
    result.unknown.push({ key: `entry ${known + 1}`, offset: (item as Node | null)?.range?.[0] ?? 0, siblings: [] });
  }
}

const isContainer = ({ field }: KeyLine) => field !== "done" && (field.kind === "group" || field.kind === "list");

/** Finds nodes by path, each map being indexed once. */
class Lookup {
  readonly #maps = new Map<Node, Map<string, unknown>>();
  readonly #nodes = new Map<string, unknown>();
  readonly #result: YamlReading;
  #siblings: Map<string, string[]> | undefined;

  constructor(result: YamlReading) {
    this.#result = result;
  }

  find(root: Node, key: KeyLine, layout: FormLayout): unknown {
    let parent: unknown = root;
    if (key.path.length > 1) parent = this.#at(root, key.path.slice(0, -1));
    const parentPath = key.path.slice(0, -1).join("\0");
    const node = isMap(parent) ? this.#entries(parent as unknown as Node, parentPath, layout).get(key.key) : undefined;
    this.#nodes.set(key.path.join("\0"), node);
    return node;
  }

  /** Parents come before their children, so every parent but a list item has been found already. */
  #at(root: Node, path: readonly (string | number)[]): unknown {
    const known = this.#nodes.get(path.join("\0"));
    const last = path.at(-1);
    if (typeof last !== "number") return known;
    const list = path.length > 1 ? this.#nodes.get(path.slice(0, -1).join("\0")) : root;
    return isSeq(list) ? list.items[last] : undefined;
  }

  #entries(map: Node, parentPath: string, layout: FormLayout): Map<string, unknown> {
    const known = this.#maps.get(map);
    if (known) return known;
    const entries = new Map<string, unknown>();
    this.#siblings ??= siblingsOf(layout);
    const siblings = this.#siblings.get(parentPath) ?? [];
    const expected = new Set(siblings);
    for (const pair of (map as unknown as { items: { key: unknown; value: unknown }[] }).items) {
      const name = isScalar(pair.key) ? (pair.key.source ?? String(pair.key.value)) : "";
      entries.set(name, pair.value);
      if (!expected.has(name)) this.#result.unknown.push({ key: name, offset: (pair.key as Node | null)?.range?.[0] ?? 0, siblings });
    }
    this.#maps.set(map, entries);
    return entries;
  }
}

function siblingsOf(layout: FormLayout): Map<string, string[]> {
  const siblings = new Map<string, string[]>();
  for (const { path, key } of layout.keys) {
    const parent = path.slice(0, -1).join("\0");
    const list = siblings.get(parent);
    if (list) list.push(key);
    else siblings.set(parent, [key]);
  }
  return siblings;
}

const STYLES: Record<string, "plain" | "quoted" | "literal" | "folded"> = {
  PLAIN: "plain",
  QUOTE_DOUBLE: "quoted",
  QUOTE_SINGLE: "quoted",
  BLOCK_LITERAL: "literal",
  BLOCK_FOLDED: "folded",
};

/** A plain scalar is taken as typed: `1.10` stays `1.10` and `yes` stays `yes`. */
function valueOf(node: unknown): YamlValue {
  if (node === undefined) return { style: "missing" };
  if (node === null) return { style: "empty", text: "" };
  if (!isScalar(node)) return { style: "collection" };
  const style = STYLES[node.type ?? "PLAIN"] ?? "plain";
  if (style === "plain" && (node.source ?? "") === "") return { style: "empty", text: "" };
  return { style, text: style === "plain" ? (node.source ?? String(node.value)) : String(node.value) };
}

function hasComments(document: { comment: string | null; commentBefore: string | null; contents: unknown }): boolean {
  const seen = (node: unknown): boolean => {
    if (node === null || typeof node !== "object") return false;
    const { comment, commentBefore, items, key, value } = node as Record<string, unknown>;
    if (comment || commentBefore) return true;
    if (Array.isArray(items)) return items.some(seen);
    return seen(key) || seen(value);
  };
  return Boolean(document.comment || document.commentBefore) || seen(document.contents);
}
