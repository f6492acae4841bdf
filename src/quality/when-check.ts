// What can never be true is a mistake, not a gate that is always skipped.
import type { Expression } from "./when.ts";
import { WhenError } from "./when-tokens.ts";

type Type = "text" | "number" | "yes or no" | "null" | "list" | "any";
type Compared = Extract<Expression, { kind: "compare" }>;

/** A size may be `M` or 3. */
const NAME_TYPES: Record<string, Type> = { changed_files: "list", "task.priority": "number", "task.size": "any" };

/** Texts and numbers are no answers. */
export function mustDecide(expression: Expression): Expression {
  const type = typeOf(expression);
  if (type === "yes or no") return expression;
  throw new WhenError("is a value, not a yes or no; compare it with `==`, `in`, `contains` or `matches`", expression.at);
}

export function checkComparison(comparison: Compared): Compared {
  const wrong = whatIsWrong(comparison.operator, typeOf(comparison.left), typeOf(comparison.right));
  if (wrong) throw new WhenError(wrong, comparison.at);
  return comparison;
}

function whatIsWrong(operator: Compared["operator"], a: Type, b: Type): string | undefined {
  const searchable = a === "text" || a === "any" || a === "list";
  if (operator === "in") return b === "list" ? undefined : "`in` needs a list after it: `[1, 2]` or `changed_files`";
  if (operator === "matches")
    return searchable && b === "text" ? undefined : "`matches` needs a text or list before and a pattern after it";
  if (operator === "contains")
    return searchable && b !== "list" ? undefined : "`contains` needs a text or list before and a value after it";
  if (a === "list" || b === "list") return `\`${operator}\` does not compare lists; use \`contains\`, \`matches\` or \`in\``;
  if (operator === "==" || operator === "!=") {
    const comparable = a === b || [a, b].some((type) => type === "any" || type === "null");
    return comparable ? undefined : `compares a ${a} with a ${b}, which are never equal`;
  }
  return [a, b].every((type) => type === "number" || type === "any") ? undefined : `\`${operator}\` compares numbers only`;
}

function typeOf(expression: Expression): Type {
  if (expression.kind === "list") return "list";
  if (expression.kind === "name") return NAME_TYPES[expression.name] ?? "text";
  if (expression.kind !== "literal") return "yes or no";
  const { value } = expression;
  return value === null ? "null" : typeof value === "string" ? "text" : typeof value === "number" ? "number" : "yes or no";
}
