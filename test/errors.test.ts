import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ERRORS, EnvoyError } from "../schemas/errors.ts";

const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts") && file !== "errors.test.ts")
  .map((file) => readFileSync(join(import.meta.dirname, file), "utf8"))
  .join("\n");

test.each(Object.keys(ERRORS))("%s is provoked by a test", (type) => {
  expect(tests).toContain(`"${type}"`);
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
