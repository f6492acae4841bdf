import { matchesGlob } from "./glob.ts";
import type { Comparison, Expression, Literal, TASK_FIELDS } from "./when.ts";
import { WhenError } from "./when-tokens.ts";

export interface WhenFacts {
  task: Partial<Record<(typeof TASK_FIELDS)[number], string | number | null>>;
  changed_files: readonly string[];
}
export type WhenAnswer = { ok: true; value: boolean } | { ok: false; message: string; column: number };

type Value = Literal | readonly Literal[];

/** Not being able to tell is neither yes nor no: a gate must not be skipped for want of a fact. */
export function evaluateWhen(expression: Expression, facts: WhenFacts): WhenAnswer {
  try {
    return { ok: true, value: valueOf(expression, facts) === true };
  } catch (error) {
    if (error instanceof WhenError) return { ok: false, message: error.message, column: error.at + 1 };
    throw error;
  }
}

function valueOf(expression: Expression, facts: WhenFacts): Value {
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "name":
      return named(expression.name, facts);
    case "list":
      return expression.items.map((item) => valueOf(item, facts) as Literal);
    case "not":
      return valueOf(expression.operand, facts) !== true;
    case "and":
      return valueOf(expression.left, facts) === true && valueOf(expression.right, facts) === true;
    case "or":
      return valueOf(expression.left, facts) === true || valueOf(expression.right, facts) === true;
    case "compare":
      return compare(expression, valueOf(expression.left, facts), valueOf(expression.right, facts));
  }
}

function named(name: string, { task, changed_files }: WhenFacts): Value {
  if (name === "changed_files") return changed_files;
  return task[name.slice("task.".length) as keyof WhenFacts["task"]] ?? null;
}

const ORDER: Partial<Record<Comparison, (a: number, b: number) => boolean>> = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

function compare({ operator, at }: { operator: Comparison; at: number }, a: Value, b: Value): boolean {
  if (operator === "==") return a === b;
  if (operator === "!=") return a !== b;
  if (operator === "in") return (b as readonly Literal[]).includes(a as Literal);
  if (operator === "contains") return Array.isArray(a) ? a.includes(b) : typeof a === "string" && a.includes(String(b));
  if (operator === "matches") return [a].flat().some((text) => typeof text === "string" && matchesGlob(String(b), text));
  if (typeof a === "number" && typeof b === "number") return ORDER[operator]!(a, b);
  throw new WhenError(`\`${operator}\` needs two numbers, and one side is ${JSON.stringify(typeof a === "number" ? b : a)}`, at);
}
