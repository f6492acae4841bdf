// Every folder of fixtures/gates is a test. UPDATE_FIXTURES=1 writes what is expected anew: read the difference before
// you commit it.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, test } from "vitest";
import { playCase } from "./fixture.ts";

const ROOT = resolve(import.meta.dirname, "../../fixtures/gates");

for (const gate of readdirSync(ROOT)) {
  const cases = readdirSync(join(ROOT, gate)).filter((name) => existsSync(join(ROOT, gate, name, "case.json")));
  describe.concurrent(gate, () => {
    for (const name of cases) {
      const folder = join(ROOT, gate, name);
      const { title } = JSON.parse(readFileSync(join(folder, "case.json"), "utf8")) as { title: string };
      test(`${name}: ${title}`, () => playCase(folder));
    }
  });
}
