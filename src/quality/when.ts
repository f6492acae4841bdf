// `when` of a gate: a small expression over `task.*` and `changed_files`, read by hand. There is nothing in it that
// could be run: only the operators below, and only the names listed.
import { nearestName } from "../system/nearest-name.ts";
import { checkComparison, mustDecide } from "./when-check.ts";
import { type Token, WhenError, tokenize } from "./when-tokens.ts";

export const TASK_FIELDS = ["id", "title", "status", "parent", "priority", "size", "dir"] as const;
const NAMES: readonly string[] = [...TASK_FIELDS.map((field) => `task.${field}`), "changed_files"];

const COMPARISONS = ["==", "!=", "<", "<=", ">", ">=", "in", "contains", "matches"] as const;
export type Comparison = (typeof COMPARISONS)[number];

export type Literal = string | number | boolean | null;
/** `at` counts characters from 0. */
export type Expression =
  | { kind: "literal"; value: Literal; at: number }
  | { kind: "name"; name: string; at: number }
  | { kind: "list"; items: Expression[]; at: number }
  | { kind: "not"; operand: Expression; at: number }
  | { kind: "and" | "or"; left: Expression; right: Expression; at: number }
  | { kind: "compare"; operator: Comparison; left: Expression; right: Expression; at: number };

export type Parsed = { ok: true; expression: Expression } | { ok: false; message: string; column: number };

const MOST_CHARACTERS = 2000;
const DEEPEST = 50;

export function parseWhen(text: string): Parsed {
  try {
    if (text.length > MOST_CHARACTERS) throw new WhenError(`is longer than ${MOST_CHARACTERS} characters`, MOST_CHARACTERS);
    return { ok: true, expression: new Reader(tokenize(text), text.length).whole() };
  } catch (error) {
    if (error instanceof WhenError) return { ok: false, message: error.message, column: error.at + 1 };
    throw error;
  }
}

class Reader {
  readonly #tokens: Token[];
  readonly #end: number;
  #next = 0;
  #depth = 0;

  constructor(tokens: Token[], end: number) {
    this.#tokens = tokens;
    this.#end = end;
  }

  whole(): Expression {
    const expression = this.#or();
    const left = this.#tokens[this.#next];
    if (left) throw new WhenError(`\`${left.text}\` does not belong here`, left.at);
    return mustDecide(expression);
  }

  #or(): Expression {
    let left = this.#and();
    for (let sign = this.#take("||"); sign; sign = this.#take("||"))
      left = { kind: "or", left: mustDecide(left), right: mustDecide(this.#and()), at: sign.at };
    return left;
  }

  #and(): Expression {
    let left = this.#compare();
    for (let sign = this.#take("&&"); sign; sign = this.#take("&&"))
      left = { kind: "and", left: mustDecide(left), right: mustDecide(this.#compare()), at: sign.at };
    return left;
  }

  #compare(): Expression {
    const left = this.#operand();
    const operator = COMPARISONS.find((each) => this.#sees(each));
    if (!operator) return left;
    const { at } = this.#tokens[this.#next++]!;
    return checkComparison({ kind: "compare", operator, left, right: this.#operand(), at });
  }

  #operand(): Expression {
    const token = this.#tokens[this.#next];
    if (!token) throw new WhenError("ends where a value is missing", this.#end);
    this.#next++;
    if (token.kind === "literal") return { kind: "literal", value: token.value, at: token.at };
    if (token.kind === "name") return known(token);
    if (token.text === "!") return { kind: "not", operand: mustDecide(this.#deeper(token.at, () => this.#operand())), at: token.at };
    if (token.text === "[") return this.#list(token.at);
    if (token.text !== "(") throw new WhenError(`\`${token.text}\` stands where a value is missing`, token.at);
    const inner = this.#deeper(token.at, () => this.#or());
    this.#must(")");
    return inner;
  }

  #list(at: number): Expression {
    const items: Expression[] = [];
    while (!this.#take("]")) {
      if (items.length) this.#must(",");
      const token = this.#tokens[this.#next++];
      if (token?.kind !== "literal") throw new WhenError("a list holds texts, numbers, true, false and null only", token?.at ?? this.#end);
      items.push({ kind: "literal", value: token.value, at: token.at });
    }
    return { kind: "list", items, at };
  }

  #deeper<T>(at: number, read: () => T): T {
    if (++this.#depth > DEEPEST) throw new WhenError(`nests deeper than ${DEEPEST} levels`, at);
    const result = read();
    this.#depth--;
    return result;
  }

  #sees(text: string): boolean {
    const token = this.#tokens[this.#next];
    return token?.kind === "sign" && token.text === text;
  }

  #take(text: string): Token | undefined {
    return this.#sees(text) ? this.#tokens[this.#next++] : undefined;
  }

  #must(text: string): void {
    if (!this.#take(text)) throw new WhenError(`\`${text}\` is missing here`, this.#tokens[this.#next]?.at ?? this.#end);
  }
}

function known({ text, at }: Token): Expression {
  if (NAMES.includes(text)) return { kind: "name", name: text, at };
  const near = nearestName(text, NAMES);
  throw new WhenError(`\`${text}\` is not known; ${near ? `did you mean \`${near}\`?` : `known are ${NAMES.join(", ")}`}`, at);
}

export function printWhen(expression: Expression): string {
  switch (expression.kind) {
    case "literal":
      return JSON.stringify(expression.value);
    case "name":
      return expression.name;
    case "list":
      return `[${expression.items.map(printWhen).join(", ")}]`;
    case "not":
      return `!${inBrackets(expression.operand)}`;
    case "compare":
      return `${inBrackets(expression.left)} ${expression.operator} ${inBrackets(expression.right)}`;
    default:
      return `${inBrackets(expression.left)} ${expression.kind === "and" ? "&&" : "||"} ${inBrackets(expression.right)}`;
  }
}

const inBrackets = (expression: Expression): string => ("left" in expression ? `(${printWhen(expression)})` : printWhen(expression));
