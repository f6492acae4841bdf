// Each of these would hang or abort a careless reader: that the test ends is most of what it shows.
import { expect, test } from "vitest";
import { type FormOutcome, readForm } from "../../src/form/index.ts";
import { confirmed, typedForm } from "../support/forms.ts";

const inThoughts = (text: string) => confirmed(typedForm.written).replace("thoughts: |\n  \n", () => `thoughts: |\n${text}\n`);
const beside = (text: string) => confirmed(typedForm.written).replace("thoughts: |", () => `thoughts: ${text}`);
const underDecision = (text: string) => confirmed(typedForm.written).replace("decision: null", () => `decision: null\n${text}`);
const keys = (n: number) => Array.from({ length: n }, (_, i) => `k${i}: 1`).join("\n");
const KIB = 1024;
const some = (n: number, part: string) => part.repeat(Math.floor(n / part.length));

const judge = (saved: string): FormOutcome => {
  for (let i = 0; i < 2; i++) readForm(typedForm, saved); // the second parse is the one that aborted Node
  return readForm(typedForm, saved, { settled: true });
};

test.each([
  ["deep flow lists beside a key", beside("[".repeat(2000))],
  ["deep flow maps beside a key", beside("{a: ".repeat(2000))],
  ["deep explicit keys at the margin", inThoughts("? ".repeat(2000))],
  ["deep dashes at the margin", inThoughts("- ".repeat(2000))],
  ["60,000 keys at the margin", inThoughts(keys(60_000))],
  ["a million spaces before a word", beside(`${" ".repeat(900 * KIB)}x # y`)],
  ["a megabyte in open quotes", beside(`"${some(900 * KIB, "word \\ ")}`)],
  ["a megabyte in quotes", beside(`"${some(900 * KIB, 'say \\" ')}" # so`)],
  ["a megabyte of quotes", beside(some(900 * KIB, '"'))],
  ["a megabyte of hashes", beside(some(900 * KIB, " #"))],
  ["a megabyte of colons", inThoughts(some(900 * KIB, "a: "))],
  ["100,000 empty lines and a word at the margin", inThoughts(`${"\n".repeat(100_000)}word: x`)],
])("answers %s with a proper form to confirm", (_what, saved) => {
  const outcome = judge(saved);
  expect(outcome.kind).toBe("mended");
  const { text } = outcome as { text: string };
  expect(readForm(typedForm, confirmed(text), { handedBack: text }).kind).toBe("accepted");
});

test.each([
  ["60,000 keys below a decision", underDecision(keys(60_000))],
  ["20,000 lines of the form inside a text", inThoughts("  decision: main\n".repeat(20_000))],
  ["20,000 fields too many", inThoughts("thoughts: |\n".repeat(20_000))],
  ["20,000 comments of the form inside a text", inThoughts("# Optional message to the agent\n".repeat(20_000))],
  ["a megabyte behind done", confirmed(typedForm.written).replace(/^done: true/m, `done: ${some(900 * KIB, "! ")}true`)],
  ["a megabyte of spaces behind a decision", confirmed(typedForm.written).replace("null", `x${" ".repeat(900 * KIB)}y`)],
  ["nothing but brackets", "[".repeat(4000)],
  ["a script's deep file", `thoughts: ${"[".repeat(2000)}\ndone: true\n`],
  ["a script's file of 60,000 keys", `${keys(60_000)}\ndone: true\n`],
])("refuses %s with a handful of marks", (_what, saved) => {
  const outcome = judge(saved);
  expect(outcome.kind).toBe("refused");
  const { text, marks } = outcome as { text: string; marks: unknown[] };
  expect(marks.length).toBeLessThanOrEqual(51);
  expect(text.length).toBeLessThan(saved.length + 20_000);
});

const HUGE = 100 * KIB * KIB;
test.each([
  ["one letter", (n: number) => "a".repeat(n)],
  ["lines", (n: number) => some(n, "  a line of a log\n")],
  ["empty lines", (n: number) => "\n".repeat(n)],
])("refuses 100 MB of %s, looking only at the end", (_what, make) => {
  const saved = inThoughts(`  ${make(HUGE)}`);
  const outcome = readForm(typedForm, saved) as { kind: string; text: string; marks: { message: string; path: string }[] };
  expect([outcome.kind, outcome.marks[0]!.path]).toEqual(["refused", "done"]);
  expect(outcome.marks[0]!.message).toContain("1048576 bytes");
  expect(outcome.text.slice(-400)).toMatch(/# ✗ The form is larger.*\ndone: false\n# end of form/);
  expect(readForm(typedForm, outcome.text, { handedBack: outcome.text })).toEqual({ kind: "waiting" });
  expect(readForm(typedForm, saved.replace(/^done: true/m, "done: no"))).toEqual({ kind: "waiting" });
});

test("a form over the limit without any done is answered as well", () => {
  const outcome = readForm(typedForm, "a".repeat(2 * KIB * KIB));
  expect(outcome.kind).toBe("refused");
  expect((outcome as { text: string }).text).toContain("# ✗ The form is larger");
});

test("the limit counts bytes, and grows with the form envoy wrote", () => {
  expect(readForm(typedForm, inThoughts(`  ${"é".repeat(600 * KIB)}`)).kind).toBe("refused");
  const large = { ...typedForm, written: typedForm.written.replace("# Optional", `# ${"word ".repeat(100 * KIB)}\n# Optional`) };
  const saved = confirmed(large.written).replace("thoughts: |\n  \n", `thoughts: |\n  ${"é".repeat(600 * KIB)}\n`);
  expect(readForm(large, saved).kind).toBe("accepted");
});
