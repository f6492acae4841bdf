import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ERRORS, EnvoyError } from "../schemas/errors.ts";

const textsIn = (folder: string, isWanted: (file: string) => boolean) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter(isWanted)
    .map((file) => readFileSync(join(folder, file), "utf8"));

/** A fixture that expects an error is a test that provokes it. */
const tests = [
  ...textsIn(import.meta.dirname, (file) => file.endsWith(".test.ts") && file !== "errors.test.ts"),
  ...textsIn(join(import.meta.dirname, "../fixtures/gates"), (file) => file.endsWith("expected.json")),
].join("\n");

test.each(Object.keys(ERRORS))("%s is provoked by a test", (type) => {
  expect(tests.includes(`"${type}"`)).toBe(true);
});

test("an error knows its exit code, its suggestion and its issues", () => {
  const error = new EnvoyError("invalid_file", {
    file: "a.yaml",
    issues: [{ line: 3, column: 1, path: "x", message: "is odd" }, { message: "too" }],
  });
  expect(error).toMatchObject({
    type: "invalid_file",
    exitCode: 4,
    message: "a.yaml cannot be read: line 3, column 1: x: is odd (and 1 more)",
  });
  expect(error.issues).toHaveLength(2);
  expect(error.suggestion).toContain("run the command again");
});
