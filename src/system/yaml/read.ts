// YAML as envoy reads it: with limits that keep a hostile or damaged file from stopping the process, and without
// the parts of the language that let a text mean something else than it says.
import { type Document, LineCounter, type Node, type Pair, isAlias, isMap, isPair, isScalar, isSeq, parseAllDocuments } from "yaml";
import type { Issue } from "../../../schemas/errors.ts";
import { recall, remember } from "./last-reading.ts";
import { beyondLimits } from "./nesting.ts";

export { type Document, type Node, isMap, isPair, isScalar, isSeq };

export interface YamlLimits {
  maxBytes: number;
  maxDepth: number;
  maxPairs: number;
}
interface Position {
  line: number;
  column: number;
}
export interface YamlText {
  ok: true;
  value: unknown;
  document: Document.Parsed;
  at: (offset: number) => Position;
}
export type YamlReading = YamlText | { ok: false; issues: Issue[] };

const LIMITS: YamlLimits = { maxBytes: 64 * 1024 * 1024, maxDepth: 64, maxPairs: 1_000_000 };
const FORBIDDEN_KEYS = new Set(["__proto__", "constructor", "prototype"]);

/** With the usual limits a large text is read once, however often it is asked for in a row. */
export function readYaml(text: string, limits?: Partial<YamlLimits>): YamlReading {
  if (limits) return readAnew(text, limits);
  const known = recall(text);
  if (known) return known as YamlText;
  const reading = readAnew(text, {});
  if (reading.ok) remember(text, reading);
  return reading;
}

function readAnew(text: string, limits: Partial<YamlLimits>): YamlReading {
  const { maxBytes, maxDepth, maxPairs } = { ...LIMITS, ...limits };
  if (text.length > maxBytes || Buffer.byteLength(text) > maxBytes) {
    return refusal(`the file is larger than ${maxBytes} bytes`, { line: 1, column: 1 });
  }
  const lines = new LineCounter();
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const beyond = beyondLimits(text, { maxDepth, maxPairs });
  if (beyond) {
    const message = beyond.what === "depth" ? `nests deeper than ${maxDepth} levels` : `more than ${maxPairs} keys`;
    return refusal(message, positionIn(text, beyond.offset));
  }

  const documents = parseAllDocuments(text, { lineCounter: lines, uniqueKeys: false, prettyErrors: false, merge: false });
  const [document, second] = Array.isArray(documents) ? documents : [];
  if (!document) return refusal("the file is empty", { line: 1, column: 1 });
  const faults = [...document.errors, ...document.warnings];
  if (faults.length) return { ok: false, issues: faults.map((f) => ({ ...at(f.pos[0]), message: plainWords(f.code, f.message) })) };
  if (second) return refusal("a second document begins here (`---`)", at(second.range[0]));
  if (document.contents === null) return refusal("the file is empty", { line: 1, column: 1 });

  const issues = forbidden(document.contents as unknown as Node, at);
  if (issues.length) return { ok: false, issues };
  return { ok: true, value: document.toJS({ maxAliasCount: 0 }), document, at };
}

/** Duplicates are looked for here in linear time; the parser's own check takes quadratic time. */
function forbidden(root: Node, at: (offset: number) => Position): Issue[] {
  const issues: Issue[] = [];
  const refuse = (node: { range?: readonly number[] | null | undefined }, message: string) =>
    issues.push({ ...at(node.range?.[0] ?? 0), message });
  const visit = (node: unknown): void => {
    if (isAlias(node)) return void refuse(node, "aliases (`*name`) are not allowed; put the text in quotes");
    if (isPair(node)) return visitPair(node);
    if (!isMap(node) && !isSeq(node) && !isScalar(node)) return;
    if (node.anchor) refuse(node, "anchors (`&name`) are not allowed; put the text in quotes");
    if (node.tag) refuse(node, "tags (`!name`) are not allowed; put the text in quotes");
    if (isSeq(node)) for (const item of node.items) visit(item);
    if (isMap(node)) visitMap(node.items as Pair[]);
  };
  const visitPair = (pair: Pair) => {
    visit(pair.key);
    visit(pair.value);
  };
  const visitMap = (items: Pair[]) => {
    const seen = new Set<string>();
    for (const pair of items) {
      if (!isScalar(pair.key)) refuse((pair.key ?? root) as Node, "a key must be a plain word");
      else {
        const key = String(pair.key.value);
        if (seen.has(key)) refuse(pair.key, `the key \`${key}\` stands here a second time`);
        if (key === "<<") refuse(pair.key, "merge keys (`<<`) are not allowed");
        if (FORBIDDEN_KEYS.has(key)) refuse(pair.key, `the key \`${key}\` is not allowed`);
        seen.add(key);
      }
      visitPair(pair);
    }
  };
  visit(root);
  return issues;
}

function refusal(message: string, position: Position): YamlReading {
  return { ok: false, issues: [{ ...position, message }] };
}

function positionIn(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const lastNewline = before.lastIndexOf("\n");
  return { line: before.split("\n").length, column: offset - lastNewline };
}

const PLAIN_WORDS: Record<string, string> = {
  TAB_AS_INDENT: "a tab stands where spaces must indent",
  BAD_INDENT: "the indentation does not fit the lines above",
  MISSING_CHAR: "a closing quote, bracket or colon is missing",
  UNEXPECTED_TOKEN: "this does not belong here; texts with special characters need quotes or a `|` block",
  MULTILINE_IMPLICIT_KEY: "a text before a colon runs over several lines; texts with a colon need quotes or a `|` block",
  BLOCK_AS_IMPLICIT_KEY: "a colon inside a text: put the text in quotes or a `|` block",
  TAG_RESOLVE_FAILED: "tags (`!name`) are not allowed; put the text in quotes",
};
const plainWords = (code: string, message: string) => PLAIN_WORDS[code] ?? message.split("\n")[0] ?? code;
