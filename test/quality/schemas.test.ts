import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

import { AuditOutput, ReviewerOutput, SynthesisOutput } from "../../schemas/quality.ts";
import { readAnswer } from "../../src/quality/reviewer-output.ts";
import { temporaryFolder } from "../support/project.ts";

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/reviewers.md"), "utf8");
const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => json!);

test("every example of the documentation is an answer envoy understands", () => {
  const [output, synthesis, audit] = examples;
  expect(readAnswer(output!, ReviewerOutput)).toMatchObject({ ok: true, value: { findings: [{ priority: "P1" }] } });
  expect(readAnswer(synthesis!, SynthesisOutput)).toMatchObject({ ok: true, value: { verdict: "fail" } });
  expect(readAnswer(audit!, AuditOutput)).toMatchObject({ ok: true, value: { clarifying_questions: ["Which browsers?"] } });
});

test("every schema that the documentation names is there, and describes what it says", () => {
  const named = [...page.matchAll(/\]\(\.\.\/(schemas\/json\/[\w-]+\.json)\)/g)].map(([, file]) => file!);
  expect(named.toSorted()).toEqual(
    readdirSync(join(root, "schemas/json"))
      .filter((name) => name.startsWith("reviewer-"))
      .map((name) => `schemas/json/${name}`)
      .toSorted(),
  );
  const schema = JSON.parse(readFileSync(join(root, "schemas/json/reviewer-output.json"), "utf8"));
  expect(schema.required).toEqual(["findings"]);
  expect(schema.properties.findings.items.required).toEqual(["priority", "issue"]);
});

test("the reviewers among the fixtures are programs, and those that keep the rules say so themselves", () => {
  const folder = join(root, "fixtures/reviewers");
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    expect(statSync(file).mode & 0o111).not.toBe(0);
    if (!readFileSync(file, "utf8").includes("// Speaks the protocol")) continue;
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, "src"));
    expect(
      readAnswer(execFileSync(file, { cwd, input: "+++ b/src/a.ts\n@@ -0,0 +1 @@\n+// FIXME\n", encoding: "utf8" }), ReviewerOutput).ok,
    ).toBe(true);
  }
});
