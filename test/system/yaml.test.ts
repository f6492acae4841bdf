import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { editYaml, printYaml } from "../../src/system/yaml/edit.ts";
import { readYaml } from "../../src/system/yaml/read.ts";

const messageOf = (text: string, limits = {}) => {
  const reading = readYaml(text, limits);
  return reading.ok ? undefined : reading.issues[0];
};

test("reads what the library reads", () => {
  const text = "a: 1\nb:\n  - x\n  - |\n    two\n    lines\nc: {d: [1, 2]}\n";
  const reading = readYaml(text);
  expect(reading.ok && reading.value).toEqual(parse(text));
});

test.each([
  ["flow lists", "[".repeat(2000)],
  ["flow maps", "{a: ".repeat(2000)],
  ["explicit keys", "? ".repeat(2000)],
  ["dashes", "- ".repeat(2000)],
  ["indentation", Array.from({ length: 300 }, (_, i) => `${" ".repeat(i)}a:`).join("\n")],
])("answers a bomb of nested %s instead of crashing", (_what, bomb) => {
  for (let i = 0; i < 2; i++) expect(messageOf(bomb)).toMatchObject({ message: "nests deeper than 64 levels" });
});

test("takes a list of many entries for what it is: wide, not deep", () => {
  const wide = Array.from({ length: 5000 }, (_, i) => `- n: ${i}\n  deep:\n    - {a: [1]}\n`).join("");
  expect(readYaml(wide).ok).toBe(true);
});

test("finds a duplicate among 60,000 keys in linear time", () => {
  const keys = Array.from({ length: 60_000 }, (_, i) => `k${i}: 1`).join("\n");
  expect(readYaml(keys).ok).toBe(true);
  expect(messageOf(`${keys}\nk7: 2\n`)).toMatchObject({ line: 60_001, column: 1, message: "the key `k7` stands here a second time" });
});

test.each([
  ["an alias", "a: *x\n", /alias/i],
  ["an anchor", "a: &x 1\n", /anchors/],
  ["a tag", "a: !important\n", /tag/],
  ["a known tag", "a: !!str 1\n", /tags/],
  ["a merge key", "a: 1\n<<: {b: 2}\n", /merge/],
  ["a second document", "a: 1\n---\nb: 2\n", /second document/],
  ["__proto__", "__proto__: {x: 1}\n", /__proto__/],
  ["constructor", "a:\n  constructor: 1\n", /constructor/],
  ["a tab as indentation", "a:\n\tb: 1\n", /tab/],
  ["an open quote", 'a: "x\n', /missing/],
  ["nothing", "", /empty/],
  ["only comments", "# a\n", /empty/],
])("refuses %s and says where", (_what, text, message) => {
  const issue = messageOf(text);
  expect(issue?.message).toMatch(message);
  expect(issue?.line).toBeGreaterThan(0);
  expect(issue?.column).toBeGreaterThan(0);
});

test("holds to its limits of size and pairs", () => {
  expect(messageOf("a: 12345\n", { maxBytes: 5 })?.message).toMatch(/larger than 5 bytes/);
  expect(messageOf("a: 1\nb: 2\nc: 3\n", { maxPairs: 2 })).toMatchObject({ line: 3, message: "more than 2 keys" });
});

const SOURCE = `# who wrote this
specialist_name:   backend    # spacing stays
notes: |
  first

  # not a comment
extra: {keep: [me, 2]}   # flow
approaches:
  # the first
  - number: 1     # one
    description: "a: b"
    unknown:  kept

  # the second
  - number: 2
    description: >-
      folded
      text
# the end
`;

test("changes only the bytes of the key it sets", () => {
  const edited = editYaml(SOURCE, [{ path: ["approaches", 0, "description"], value: "new\ntext # here\n" }]);
  expect(edited).toBe(SOURCE.replace('"a: b"', "|\n      new\n      text # here"));
  expect(editYaml(SOURCE, [{ path: ["specialist_name"], value: "x" }])).toBe(
    SOURCE.replace("  backend ", "x ").replace(":   ", ": ").replace(": x", ": x"),
  );
});

test("appends, replaces and removes list entries among comments", () => {
  const appended = editYaml(SOURCE, [{ path: ["approaches", 2], value: { number: 3 } }]);
  expect(appended).toContain("      text\n  - number: 3\n");
  const removed = editYaml(SOURCE, [{ path: ["approaches", 0], value: undefined }]);
  expect(removed).not.toContain("number: 1 ");
  for (const comment of ["# who wrote this", "# spacing stays", "# flow", "# the second", "# the end"]) {
    expect(appended).toContain(comment);
    expect(removed).toContain(comment);
  }
});

const key = fc.stringMatching(/^[a-z][a-z_]{0,8}$/).filter((name) => name !== "constructor");
const scalar = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom("a: b", "# c", "- d", "x\n\ny\n", " lead", "true", "|", "'"),
);
const tree = fc.letrec((tie) => ({
  node: fc.oneof({ depthSize: "small" }, scalar, fc.array(tie("node"), { maxLength: 4 }), fc.dictionary(key, tie("node"), { maxKeys: 4 })),
})).node;
const map = fc.dictionary(key, tree, { minKeys: 1, maxKeys: 6 });

test("means what was set and leaves the rest, for any document and any value", () => {
  fc.assert(
    fc.property(map, key, tree, (document, name, value) => {
      const edited = editYaml(printYaml(document), [{ path: [name], value }]);
      expect(parse(edited)).toEqual({ ...document, [name]: value });
      expect(readYaml(edited).ok).toBe(true);
    }),
    { numRuns: 1500 },
  );
});

test("means what was set in a list, for any list and any value", () => {
  fc.assert(
    fc.property(fc.array(map, { minLength: 1, maxLength: 5 }), map, fc.nat(), (list, value, n) => {
      const index = n % (list.length + 1);
      const source = `a: 1\nlist:\n${printYaml(list).replace(/^(?=.)/gm, "  ")}z: 2\n`;
      fc.pre(JSON.stringify(parse(source).list) === JSON.stringify(list));
      const expected = list.with(Math.min(index, list.length - 1), list[Math.min(index, list.length - 1)]!);
      if (index === list.length) expected.push(value);
      else expected[index] = value;
      expect(parse(editYaml(source, [{ path: ["list", index], value }]))).toEqual({ a: 1, list: expected, z: 2 });
      if (list.length > 1 && index < list.length) {
        expect(parse(editYaml(source, [{ path: ["list", index], value: undefined }]))).toEqual({
          a: 1,
          list: list.toSpliced(index, 1),
          z: 2,
        });
      }
    }),
    { numRuns: 800 },
  );
});
