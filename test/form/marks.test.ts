import fc from "fast-check";
import { expect, test } from "vitest";
import { type FormOutcome, type WrittenForm, describeForm, readForm, writeForm } from "../../src/form/index.ts";
import { filledForms, savedText } from "../support/filled-form.ts";
import { confirmed, typedForm } from "../support/forms.ts";

const description = describeForm({
  key: "2A_testing",
  title: ["TESTING GATE of prompt 2A"],
  fields: [
    { kind: "text", key: "thoughts", help: ["Optional message to the agent"] },
    { kind: "yesno", key: "test_passed", initial: null, help: ["true or false"] },
    { kind: "group", key: "entries", fields: [{ kind: "group", key: "one", fields: [{ kind: "text", key: "reason", required: true }] }] },
    {
      kind: "list",
      key: "questions",
      items: [
        {
          fields: [
            { kind: "fixed", key: "question", text: "Why?" },
            { kind: "text", key: "answer", required: true },
          ],
        },
      ],
    },
  ],
});
const form = { description, written: writeForm(description, { gateId: "g_1" }) };
const handed = (outcome: FormOutcome<unknown>) => {
  expect(["mended", "refused"]).toContain(outcome.kind);
  return outcome as { kind: "mended" | "refused"; text: string; marks: { line: number; column: number; path: string; message: string }[] };
};
const withoutMarks = (text: string) => text.replace(/^ *# ✗[^\n]*\n/gm, "");

test("a mark stands above its key, at the key's indentation, and names line and column of what the person now sees", () => {
  const { text, marks, kind } = handed(readForm(form, confirmed(form.written)));
  expect(kind).toBe("refused");
  expect(marks.map(({ path, column }) => [path, column])).toEqual([
    ["test_passed", 1],
    ["entries.one.reason", 5],
    ["questions[0].answer", 5],
  ]);
  const lines = text.split("\n");
  for (const { line, path, message, column } of marks) {
    expect(lines[line - 1]!.trim()).toMatch(
      new RegExp(
        `^${path
          .split(".")
          .at(-1)!
          .replace(/.*\]\./, "")}:`,
      ),
    );
    expect(lines[line - 2]).toBe(`${" ".repeat(column - 1)}# ✗ ${message}`);
  }
});

test("the rules of a gate are told at the field they concern, or at the end", () => {
  const check = () => [
    { path: ["entries", "one", "reason"], message: "Too short." },
    { path: ["entries", "two"], message: "About a neighbour." },
    { path: [], message: "About all." },
  ];
  const saved = confirmed(form.written).replace("null", "yes").replace("reason: |", "reason: fine").replace("answer: |", "answer: yes");
  expect(readForm(form, saved).kind).toBe("accepted");
  const { marks } = handed(readForm(form, saved, { check }));
  expect(marks.map(({ path, message }) => [path, message])).toEqual([
    ["entries.one.reason", "Too short."],
    ["entries", "About a neighbour."],
    ["done", "About all."],
  ]);
});

const FORMATS: [string, (text: string) => string][] = [
  ["plain", (text) => text],
  ["with Windows line ends", (text) => text.replaceAll("\n", "\r\n")],
  ["with a byte order mark", (text) => `\ufeff${text}`],
  ["without a final newline", (text) => text.slice(0, -1)],
  ["with tabs and four-byte characters in its text", (text) => text.replace("thoughts: |\n", "thoughts: |\n  a\tb 🚀 𝒳\n")],
];
test.each(FORMATS)("a form %s is handed back with its bytes unchanged but for done and the marks", (_what, format) => {
  const saved = format(confirmed(form.written));
  const { text } = handed(readForm(form, saved));
  expect(text).toContain("# ✗");
  expect(withoutMarks(text)).toBe(saved.replace(/^done: true/m, "done: false"));
});

test.each(FORMATS)("the marks of a form %s go when it is handed back again, and do not disturb its acceptance", (_what, format) => {
  const first = handed(readForm(form, format(confirmed(form.written)))).text;
  const second = handed(readForm(form, confirmed(first), { handedBack: first })).text;
  expect(second).toBe(first);
  const filled = confirmed(first).replace("null", "no").replace("reason: |", "reason: fine").replace("answer: |", "answer: 42");
  const outcome = readForm(form, filled, { handedBack: first });
  expect(outcome).toMatchObject({ kind: "accepted", values: { test_passed: false, questions: [{ question: "Why?", answer: "42" }] } });
});

test("marks of an earlier hand-back, written back by an open editor, are still known as marks", () => {
  const first = handed(readForm(form, confirmed(form.written))).text;
  const halfway = confirmed(first).replace("null", "yes");
  const second = handed(readForm(form, halfway, { handedBack: [first] })).text;
  expect(second).not.toContain("true or false here");
  const third = handed(readForm(form, halfway, { handedBack: [first, second] })).text;
  expect(third).toBe(second);
});

test("an answer typed behind a mark, or under one, is not taken away with it", () => {
  const first = handed(readForm(form, confirmed(form.written))).text;
  const behind = confirmed(first).replace("Write it on the line below the field.", "$& Because it was slow");
  expect(handed(readForm(form, behind, { handedBack: first })).text).toContain("Because it was slow");
  const under = confirmed(first).replace(/^( *)reason:/m, "$1# Because it was slow\n$&");
  expect(handed(readForm(form, under, { handedBack: first })).text).toContain("Because it was slow");
});

test("a text that looks like a mark stays where it is through every hand-back", () => {
  const saved = confirmed(typedForm.written).replace("thoughts: |\n", "thoughts: |\n  # ✗ mine\n  and more\n");
  const first = handed(readForm(typedForm, saved)).text;
  const second = handed(readForm(typedForm, confirmed(first), { handedBack: first })).text;
  expect(second).toContain("  # ✗ mine\n  and more\n");
});

test("the bytes just handed back mean that nobody has answered", () => {
  const { text } = handed(readForm(form, confirmed(form.written)));
  expect(readForm(form, text, { handedBack: text })).toEqual({ kind: "waiting" });
});

test("a form without its fields is refused, and they are put back with their help", () => {
  const saved = confirmed(form.written).replace(/^# true or false\ntest_passed: null\n/m, "");
  const { text, marks } = handed(readForm(form, saved));
  expect(marks).toMatchObject([{ path: "test_passed" }]);
  expect(text.split("\n")[marks[0]!.line - 1]).toBe("test_passed: null");
  expect(withoutMarks(text).replace(/\n+/g, "\n")).toBe(form.written.replace(/\n+/g, "\n"));
});

test("whatever is mended reads back as exactly what it shows, in the line ends it came in", () => {
  fc.assert(
    fc.property(filledForms, fc.boolean(), ({ form: own, lines }, windows) => {
      const loose = lines.map((line) => (line.role === "text" ? { ...line, raw: line.meant! } : line));
      const saved = windows ? savedText(loose).replaceAll("\n", "\r\n") : savedText(loose);
      const outcome = readForm(own as WrittenForm, saved);
      if (outcome.kind !== "mended") return;
      expect(outcome.text.includes("\r")).toBe(windows);
      expect(outcome.text.replace(/\r\n|\n/g, "")).not.toMatch(/[\r\n]/);
      const again = readForm(own, confirmed(outcome.text), { handedBack: outcome.text });
      expect(again).toEqual(readForm(own, savedText(lines)));
    }),
    { numRuns: 400, seed: 4 },
  );
});

test("one hand-back tells all that was found: what stands beside a field, what is missing, and a `done` that is neither true nor false", () => {
  const clumsy = form.written.replace("thoughts: |", "thoughts: | see PR #12").replace("done: false", "done: ture");
  const { kind, text, marks } = handed(readForm(form, clumsy));
  expect(kind).toBe("mended");
  expect(text).toContain("thoughts: |\n  see PR #12\n");
  expect(text).toMatch(/^done: false$/m);
  expect(marks.map(({ path }) => path)).toEqual(["thoughts", "test_passed", "entries.one.reason", "questions[0].answer", "done", "done"]);
  expect(marks.at(-2)!.message).toContain('"ture" says neither true nor false');

  const broken = form.written.replace("test_passed: null", "test_passed: perhaps").replace("done: false", "done: ture");
  const { marks: both } = handed(readForm(form, broken));
  expect(both.map(({ path }) => path)).toEqual(["test_passed", "entries.one.reason", "questions[0].answer", "done"]);
});

test("lines without a place do not keep back what is wrong with the values: one hand-back tells both, one mark a fault", () => {
  const saved = form.written
    .replace("# Optional message to the agent", "# by the way\n$&")
    .replace("thoughts: |\n", "thoughts: |\nsee: PR #12\n")
    .replace("test_passed: null", "test_passed: tru")
    .replace(/(?<=reason: \|\n) *\n/, "      too slow\n")
    .replace("done: false", "done: yes please");
  const { kind, marks } = handed(readForm(form, saved));
  expect([kind, ...marks.map(({ path, message }) => `${path} ${message.split('" ')[0]}"`)]).toEqual([
    "refused",
    'thoughts "# by the way"',
    'test_passed "tru"',
    'questions[0].answer This needs an answer. Write it on the line below the field."',
    'done "yes please"',
  ]);

  const behind = confirmed(form.written).replace("test_passed: null", "test_passed: tru # so far");
  expect(handed(readForm(form, behind)).marks.filter(({ path }) => path === "test_passed")).toHaveLength(1);
});
