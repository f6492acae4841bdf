// Every folder of fixtures/gates is a test. UPDATE_FIXTURES=1 writes what is expected anew: read the difference before
// you commit it.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { expectedOf, keepAsExpected, playCase } from "./fixture.ts";

const ROOT = resolve(import.meta.dirname, "../../fixtures/gates");

const cases = readdirSync(ROOT).flatMap((gate) =>
  readdirSync(join(ROOT, gate))
    .map((name) => ({ gate, name, folder: join(ROOT, gate, name) }))
    .filter(({ folder }) => existsSync(join(folder, "case.json")))
    .map((each) => ({ ...each, ...(JSON.parse(readFileSync(join(each.folder, "case.json"), "utf8")) as { title: string }) })),
);

test.concurrent.each(cases)("$gate, $name: $title", async ({ folder }) => {
  const played = await playCase(folder);
  if (process.env["UPDATE_FIXTURES"]) keepAsExpected(folder, played);
  expect(played).toEqual(expectedOf(folder));
});
