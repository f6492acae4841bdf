/** `at` counts characters from 0. */
export class WhenError extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

export type Token =
  | { kind: "literal"; value: string | number | boolean | null; text: string; at: number }
  | { kind: "name"; text: string; at: number }
  | { kind: "sign"; text: string; at: number };

const PATTERNS = {
  space: /[ \t]+/y,
  number: /-?\d{1,15}(?:\.\d{1,15})?(?![\w.])/y,
  text: /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y,
  word: /[A-Za-z_][\w.]*/y,
  sign: /==|!=|<=|>=|&&|\|\||[<>!()[\],]/y,
} as const;
const WORDS: Record<string, boolean | null> = { true: true, false: false, null: null };
const WORD_SIGNS = new Set(["in", "contains", "matches"]);

export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    const found = match(text, at);
    if (!found) throw new WhenError(explain(text, at), at);
    if (found.kind !== "space") tokens.push(token(found.kind, found.text, at));
    at += found.text.length;
  }
  return tokens;
}

function match(text: string, at: number): { kind: keyof typeof PATTERNS; text: string } | undefined {
  for (const [kind, pattern] of Object.entries(PATTERNS)) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) return { kind: kind as keyof typeof PATTERNS, text: found[0] };
  }
  return undefined;
}

function token(kind: keyof typeof PATTERNS, text: string, at: number): Token {
  if (kind === "number") return { kind: "literal", value: Number(text), text, at };
  if (kind === "text") return { kind: "literal", value: textValue(text, at), text, at };
  if (kind === "sign" || WORD_SIGNS.has(text)) return { kind: "sign", text, at };
  return Object.hasOwn(WORDS, text) ? { kind: "literal", value: WORDS[text]!, text, at } : { kind: "name", text, at };
}

/** In double quotes as in JSON; in single quotes every character is itself. */
function textValue(text: string, at: number): string {
  if (text.startsWith("'")) return text.slice(1, -1);
  try {
    return JSON.parse(text) as string;
  } catch (error) {
    if (error instanceof SyntaxError) throw new WhenError("holds a backslash that means nothing; write `\\\\` for one", at);
    throw error;
  }
}

function explain(text: string, at: number): string {
  const sign = String.fromCodePoint(text.codePointAt(at)!);
  if (sign === '"' || sign === "'") return "a closing quote is missing";
  if (sign === "=" || sign === "&" || sign === "|") return `a single \`${sign}\` means nothing; write \`${sign}${sign}\``;
  return `${JSON.stringify(sign)} is not part of an expression`;
}
