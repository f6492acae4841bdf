import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { fromJSONSchema } from "zod";
import { readYaml } from "../../src/system/yaml/read.ts";

const script = resolve(import.meta.dirname, "../../scripts/schemas.mjs");
const sample = resolve(import.meta.dirname, "sample-contracts.mjs");
const root = mkdtempSync(join(tmpdir(), "envoy-schemas-"));
const schemas = (...more: string[]) =>
  spawnSync(process.execPath, [script, "--contracts", sample, "--root", root, ...more], { encoding: "utf8" });
const schemaFile = join(root, "schemas/json/sample_gate.json");
const example = join(root, "user_feedback/sample_gate.yaml");

beforeAll(() => void schemas());

/** What an editor would underline: the paths at which the text does not follow the schema. */
function underlined(text: string): string[] {
  const reading = readYaml(text, { maxBytes: 1e6, maxDepth: 16, maxPairs: 1000 });
  if (!reading.ok) throw new Error(JSON.stringify(reading.issues));
  const checked = fromJSONSchema(JSON.parse(readFileSync(schemaFile, "utf8")) as Parameters<typeof fromJSONSchema>[0]).safeParse(
    reading.document.toJS(),
  );
  return checked.success ? [] : checked.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}
const form = () => readFileSync(example, "utf8");
const edited = (...edits: [string, string][]) => edits.reduce((text, [from, to]) => text.replace(from, to), form());

test("an editor finds the schema from the form and underlines nothing in an untouched one", () => {
  expect(form()).toContain("# yaml-language-server: $schema=../schemas/json/sample_gate.json\n");
  expect(existsSync(resolve(example, "..", "../schemas/json/sample_gate.json"))).toBe(true);
  expect(underlined(form())).toEqual([]);
});

test.each<[string, [string, string][]]>([
  ["yes", [["rejected: false", "rejected: yes"]]],
  ["No in quotes", [["rejected: false", 'rejected: "No"']]],
  ["a choice in another case", [["decision: null", "decision: MAIN"]]],
  ["a choice with brackets", [["decision: null", 'decision: "Kept (unmerged)"']]],
  ["a bare number as text", [["thoughts: |\n  ", "thoughts: 42"]]],
  ["a number", [["stars: null", "stars: 3"]]],
  ["done in any spelling", [["done: false", "done: OK"]]],
  ["no value at all", [["rejected: false", "rejected:"]]],
])("%s is not underlined, since envoy takes it", (_, edits) => {
  expect(underlined(edited(...edits))).toEqual([]);
});

test.each<[string, [string, string][]]>([
  ["a yes/no field that says maybe", [["rejected: false", "rejected: maybe"]]],
  ["a choice that does not exist", [["decision: null", "decision: mian"]]],
  ["a misspelt key", [["thoughts:", "thougts:"]]],
  ["a misspelt key in an entry", [["    rejected:", "    rejectd:"]]],
  ["a number in words", [["stars: null", "stars: many"]]],
  ["done with a typo", [["done: false", "done: ture"]]],
  ["a form without done", [["done: false", ""]]],
])("%s is underlined while it is typed", (_, edits) => {
  expect(underlined(edited(...edits))).not.toEqual([]);
});

test("help reaches the editor, and choices are offered in their usual spelling", () => {
  const schema = readFileSync(schemaFile, "utf8");
  expect(schema).toContain('"description": "What must change; empty if nothing"');
  expect(JSON.parse(schema)).toMatchObject({
    title: "SAMPLE GATE of feature/login.",
    properties: {
      done: { description: "Set to true when finished, then save" },
      approach_feedback: { additionalProperties: { properties: { decision: { anyOf: [{ enum: ["main", "kept (unmerged)"] }, {}, {}] } } } },
    },
  });
});

test("files that no longer follow their contract are named, and written anew", () => {
  expect(schemas("--check").status).toBe(0);
  writeFileSync(example, `${form()}# by hand\n`);
  writeFileSync(join(root, "schemas/json/old_gate.json"), "{}");
  const check = schemas("--check");
  expect(check.status).toBe(1);
  expect(check.stderr).toBe(
    "user_feedback/sample_gate.yaml is out of date: run `npm run schemas`\nschemas/json/old_gate.json is out of date: run `npm run schemas`\n",
  );
  schemas();
  expect(schemas("--check").status).toBe(0);
  expect(existsSync(join(root, "schemas/json/old_gate.json"))).toBe(false);
});

test("the shipped schemas and examples are those of the forms", () => {
  expect(() => execFileSync(process.execPath, [script, "--check"], { stdio: "pipe" })).not.toThrow();
});
