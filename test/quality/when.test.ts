import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { matchesGlob } from "../../src/quality/glob.ts";
import { type Expression, TASK_FIELDS, parseWhen, printWhen } from "../../src/quality/when.ts";
import { evaluateWhen } from "../../src/quality/when-value.ts";

const facts = {
  task: { id: "t1", title: "Fix the login", status: "qa", priority: 1, size: "M" },
  changed_files: ["src/auth/login.ts", "docs/login.md"],
};
const decide = (text: string) => {
  const parsed = parseWhen(text);
  return parsed.ok ? evaluateWhen(parsed.expression, facts) : parsed;
};

describe("when a gate runs", () => {
  it.each([
    ["task.priority == 1", true],
    ["task.priority <= 1 && task.size in ['M', 'L']", true],
    ["task.priority != 1 || !(task.status == 'qa')", false],
    ['changed_files contains "docs/login.md"', true],
    ['changed_files matches "src/**/*.ts"', true],
    ['changed_files matches "*.ts"', false],
    ["'docs/login.md' in changed_files", true],
    ["task.title contains 'login'", true],
    ["task.title matches 'Fix*'", true],
    ["task.parent == null", true],
    ["!!true", true],
    ["false && true || true", true],
    ["true || true && false", true],
    ["(true || true) && false", false],
    ["task.priority > -1.5", true],
    [String.raw`task.title == "Fix the login"`, true],
  ])("%s → %s", (text, value) => {
    expect(decide(text)).toEqual({ ok: true, value });
  });

  it.each([
    ["", 1, "value is missing"],
    ["task.prority == 1", 1, "did you mean `task.priority`?"],
    ["process.exit == 1", 1, "is not known"],
    ["task.priority = 1", 15, "write `==`"],
    ["task.priority == ", 18, "value is missing"],
    ["task.priority == '1'", 15, "never equal"],
    ["task.title", 1, "not a yes or no"],
    ["true && task.title", 9, "not a yes or no"],
    ["task.title < 3", 12, "numbers only"],
    ["changed_files == 'a'", 15, "does not compare lists"],
    ["(true", 6, "`)` is missing"],
    ["true)", 5, "does not belong here"],
    ["true true", 6, "does not belong here"],
    ["task.title == 'x", 15, "closing quote"],
    ["require('fs')", 1, "is not known"],
    ["task['id'] == 1", 1, "is not known"],
    ["task.constructor == 1", 1, "is not known"],
    ["1 == 1; true", 7, "not part of an expression"],
    ["`id` == 'a'", 1, "not part of an expression"],
    ["task.size in [task.id]", 15, "a list holds"],
    ["task.size in [1 2]", 17, "`,` is missing"],
    [String.raw`task.id == "\x41"`, 12, "backslash"],
    [`${"(".repeat(60)}true`, 51, "nests deeper"],
    [`${"!".repeat(3000)}true`, 2001, "longer than"],
    ["1 < 2 < 3", 7, "does not belong"],
  ])("says what is wrong with %j at column %d", (text, column, words) => {
    expect(decide(text)).toEqual({ ok: false, column, message: expect.stringContaining(words) });
  });

  it("does not take a missing number for a no", () => {
    const parsed = parseWhen("task.priority < 3");
    expect(parsed.ok && evaluateWhen(parsed.expression, { task: {}, changed_files: [] })).toEqual({
      ok: false,
      column: 15,
      message: "`<` needs two numbers, and one side is null",
    });
  });

  const at = 0;
  const literal = fc.oneof(fc.string(), fc.integer({ min: -1e9, max: 1e9 }), fc.boolean(), fc.constant(null));
  const value = (of: fc.Arbitrary<any>) => of.map((each): Expression => ({ kind: "literal", value: each, at }));
  const name = (...names: string[]) => fc.constantFrom(...names).map((each): Expression => ({ kind: "name", name: each, at }));
  const list = fc.array(value(literal), { maxLength: 3 }).map((items): Expression => ({ kind: "list", items, at }));
  const compare = (operators: string[], left: fc.Arbitrary<Expression>, right: fc.Arbitrary<Expression>) =>
    fc
      .tuple(fc.constantFrom(...operators), left, right)
      .map(([operator, l, r]) => ({ kind: "compare", operator, left: l, right: r, at }) as Expression);
  const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 5 },
      value(fc.boolean()),
      compare(["==", "!=", "<", "<=", ">", ">="], name("task.priority", "task.size"), value(fc.integer({ min: -9, max: 9 }))),
      compare(["contains", "matches"], name("changed_files", "task.title"), value(fc.string())),
      compare(["in"], name(...TASK_FIELDS.map((field) => `task.${field}`)), list),
      tie("expression").map((operand): Expression => ({ kind: "not", operand, at })),
      fc
        .tuple(fc.constantFrom("and" as const, "or" as const), tie("expression"), tie("expression"))
        .map(([kind, left, right]): Expression => ({ kind, left, right, at })),
    ),
  }));
  const placeless = (tree: unknown) => JSON.parse(JSON.stringify(tree, (key, each: unknown) => (key === "at" ? 0 : each))) as unknown;

  it("means the same after it was printed and read again", () => {
    fc.assert(
      fc.property(expression, (tree) => {
        const text = printWhen(tree);
        fc.pre(text.length <= 2000);
        const parsed = parseWhen(text);
        expect(parsed).toMatchObject({ ok: true });
        expect(placeless(parsed.ok && parsed.expression)).toEqual(placeless(tree));
      }),
    );
  });

  it("never throws, runs or changes anything, whatever it is given", () => {
    const scraps = fc.constantFrom(
      "task.",
      "id",
      "==",
      "(",
      ")",
      "!",
      "[",
      "]",
      "'",
      '"',
      "&&",
      " ",
      "process",
      "exit()",
      "=>",
      "${",
      "}",
      "1",
      "__proto__",
    );
    const before = JSON.stringify(facts);
    (globalThis as any).ran = 0;
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(scraps).map((parts) => parts.join("")),
        ),
        (text) => {
          expect(typeof decide(text).ok).toBe("boolean");
          decide(`task.id == ${text} || (globalThis.ran = 1)`);
        },
      ),
      { numRuns: 500 },
    );
    expect((globalThis as any).ran).toBe(0);
    expect(JSON.stringify(facts)).toBe(before);
  });
});

describe("patterns of files", () => {
  it.each([
    ["src/**", "src/a/b.ts", true],
    ["**/*.ts", "b.ts", true],
    ["**/*.ts", "a/b/c.ts", true],
    ["src/**/b.ts", "src/b.ts", true],
    ["src/*.ts", "src/a/b.ts", false],
    ["src/?.ts", "src/a.ts", true],
    ["src?a", "src/a", false],
    ["a**/b", "axx/y/b", true],
    ["a**/b", "ab", false],
    ["*.md", "README.md", true],
    ["a.b", "axb", false],
    ["(a|b)+", "a", false],
    ["", "", true],
    ["", "a", false],
  ])("%s and %s: %s", (pattern, path, matches) => {
    expect(matchesGlob(pattern, path)).toBe(matches);
  });

  it("take no time, however many stars they have", () => {
    expect(matchesGlob(`${"**a*".repeat(400)}b`, "a".repeat(2000))).toBe(false);
  });
});
