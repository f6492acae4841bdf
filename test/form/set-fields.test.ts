import fc from "fast-check";
import { expect, test } from "vitest";
import { type FormDescription, type FormValues, fieldPaths, readForm, setFields } from "../../src/form/index.ts";
import { clumsily, fill, fills, finished, forms, strays, texts, written } from "./begun-forms.ts";

const description: FormDescription = {
  key: "gate",
  title: ["GATE"],
  fields: [
    { kind: "text", key: "thoughts", help: ["Optional message"] },
    { kind: "yesno", key: "test_passed", initial: null, help: ["true or false"] },
    {
      kind: "group",
      key: "feedback",
      computed: true,
      fields: ["a", "b"].map((key) => ({
        kind: "group",
        key,
        fields: [
          { kind: "text", key: "changes", help: ["What must change"] },
          { kind: "choice", key: "decision", choices: ["main", "rejected"], initial: null },
          { kind: "number", key: "stars", initial: null, optional: true },
        ],
      })),
    },
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
};
const form = written(description);
const set = (text: string, pairs: Record<string, string>, done?: boolean) =>
  setFields(form, text, { sets: Object.entries(pairs).map(([path, value]) => ({ path, value })), ...(done !== undefined && { done }) });
const taken = (outcome: ReturnType<typeof setFields>): string => {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.text;
};

test("a script answers a whole form by paths, short or whole, and finishes it", () => {
  const text = taken(
    set(
      form.written,
      {
        thoughts: "see PR #12\n\n  - indented",
        test_passed: "Yes",
        "feedback.a.decision": "MAIN",
        "b.decision": "rejected",
        "a.stars": "3",
        "questions[0].answer": "because",
      },
      true,
    ),
  );
  expect(text).toContain("test_passed: true\n");
  expect(readForm(form, text)).toEqual({
    kind: "accepted",
    values: {
      thoughts: "see PR #12\n\n  - indented",
      test_passed: true,
      feedback: { a: { changes: "", decision: "main", stars: 3 }, b: { changes: "", decision: "rejected", stars: null } },
      questions: [{ question: "Why?", answer: "because" }],
    },
  });
});

test("what a person typed elsewhere stays, byte for byte, even where it is not YAML yet", () => {
  const begun = form.written.replace("thoughts: |\n", "thoughts: my own: words #1\n").replaceAll("\n", "\r\n");
  const text = taken(set(begun, { "questions[0].answer": "one\ntwo" }));
  expect(text).toBe(begun.replace("answer: |\r\n      \r\n", "answer: |\r\n      one\r\n      two\r\n\r\n"));
  expect(taken(set(text, { answer: "" }))).toBe(begun);
  expect(taken(set(begun, {}, true))).toBe(begun.replace("done: false", "done: true"));
  expect(taken(set(finished(begun), {}, false))).toBe(begun);
});

test("a value set twice over replaces the first, whatever way that one was typed", () => {
  const beside = form.written
    .replace("thoughts: |\n  ", "thoughts: beside\n  and below")
    .replace("test_passed: null", "test_passed:\n  yes");
  expect(taken(set(beside, { thoughts: "new", test_passed: "no" }))).toBe(
    form.written.replace("thoughts: |\n  ", "thoughts: |\n  new\n").replace("null", "false"),
  );
});

test("a path that names nothing, or several fields, is refused with what was probably meant", () => {
  const wrong = set(form.written, {
    decision: "main",
    thougts: "x",
    "a.chnges": "x",
    feedback: "x",
    "questions[0].question": "x",
    done: "true",
    zzzzzz: "1",
  });
  expect(wrong).toEqual({
    ok: false,
    wrong: "field",
    problems: [
      { path: "decision", message: '"decision" could be any of: feedback.a.decision, feedback.b.decision. Write more of the path.' },
      { path: "thougts", message: '"thougts" is not a field of this form. Did you mean "thoughts"?', nearest: "thoughts" },
      {
        path: "a.chnges",
        message: '"a.chnges" is not a field of this form. Did you mean "feedback.a.changes"?',
        nearest: "feedback.a.changes",
      },
      { path: "feedback", message: expect.stringContaining('"feedback" takes no value itself. Its fields: feedback.a.changes,') },
      { path: "questions[0].question", message: expect.stringContaining("is not a field"), nearest: "questions[0].answer" },
      { path: "done", message: expect.stringContaining("is not a field of this form.") },
      { path: "zzzzzz", message: expect.stringContaining("Its fields: thoughts, test_passed, feedback.a.changes") },
    ],
  });
  expect(
    setFields(form, form.written, {
      sets: [
        { path: "thoughts", value: "1" },
        { path: "thoughts", value: "2" },
      ],
    }),
  ).toMatchObject({ ok: false });
});

test("a value that the field does not take is refused, and nothing is written", () => {
  expect(set(form.written, { test_passed: "maybe", "a.decision": "minor", "a.stars": "many", thoughts: "fine" })).toEqual({
    ok: false,
    wrong: "value",
    problems: [
      { path: "test_passed", message: expect.stringContaining("Write true or false") },
      { path: "feedback.a.decision", message: expect.stringContaining("Write one of: main, rejected") },
      { path: "feedback.a.stars", message: expect.stringContaining("is not a number") },
    ],
  });
  expect(set(form.written, { thoughts: "words\ntest_passed: true" })).toMatchObject({
    ok: false,
    problems: [{ path: "thoughts", message: expect.stringContaining("is a line of the form") }],
  });
  expect(set(form.written, { thoughts: "half a pair \ud800" })).toMatchObject({ ok: false });
  expect(set(form.written.replace("thoughts: |", ""), { "a.changes": "x" })).toMatchObject({ ok: false, problems: [{ path: "" }] });
});

test("a form that a script had rewritten as JSON can be answered further", () => {
  const scripted = JSON.stringify({
    thoughts: "a\nb",
    test_passed: null,
    feedback: Object.fromEntries(["a", "b"].map((key) => [key, { changes: "", decision: "main", stars: null }])),
    questions: [{ question: "Why?", answer: "x" }],
    done: false,
  });
  expect(readForm(form, taken(set(scripted, { test_passed: "true" }, true)))).toMatchObject({
    kind: "accepted",
    values: { thoughts: "a\nb", test_passed: true },
  });
});

test("every field can be listed with what it takes", () => {
  expect(fieldPaths(description)).toEqual([
    { path: "thoughts", kind: "text" },
    { path: "test_passed", kind: "yesno", required: true },
    ...["a", "b"].flatMap((key) => [
      { path: `feedback.${key}.changes`, kind: "text" },
      { path: `feedback.${key}.decision`, kind: "choice", choices: ["main", "rejected"], required: true },
      { path: `feedback.${key}.stars`, kind: "number" },
    ]),
    { path: "questions[0].answer", kind: "text", required: true },
  ]);
});

const at = (values: FormValues, path: string): unknown =>
  path
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce((value: unknown, step) => (value as Record<string, unknown>)[step], values);

test("whatever is set into whatever was begun is read as exactly that, and all else as before", () => {
  fc.assert(
    fc.property(forms, fills, fc.array(fc.tuple(fc.nat(), texts), { maxLength: 5 }), (description, filled, wishes) => {
      const form = written(description);
      const begun = fill(form.written, filled);
      const before = readForm(form, finished(begun));
      if (before.kind !== "accepted") throw new Error(before.kind);
      const fields = fieldPaths(description);
      const sets = new Map(wishes.map(([n, text]) => [fields[n % fields.length]!, text]));
      const given = [...sets].map(([{ path, kind, choices }, text]) => ({
        path,
        value: kind === "text" ? text : kind === "yesno" ? "true" : choices!.at(-1)!,
      }));
      const after = readForm(form, taken(setFields(form, begun, { sets: given, done: true })));
      if (after.kind !== "accepted") throw new Error(after.kind);
      for (const { path, kind } of fields) {
        const value = given.find((own) => own.path === path)?.value;
        expect(at(after.values as FormValues, path)).toBe(
          value === undefined ? at(before.values as FormValues, path) : kind === "yesno" ? true : value,
        );
      }
    }),
    { numRuns: 200 },
  );
});

test("whatever lies about in a begun form, a decision is set on its own line alone or not at all", () => {
  fc.assert(
    fc.property(forms, fills, strays, (description, filled, typed) => {
      const form = written(description);
      const begun = clumsily(fill(form.written, { ...filled, crlf: false }), typed);
      const outcome = setFields(form, begun, { sets: [{ path: "decision", value: "rejected" }], done: true });
      if (outcome.ok) expect(outcome.text).toBe(finished(begun).replace(/^decision: .*$/m, "decision: rejected"));
    }),
  );
});

const anything = fc
  .array(
    fc.oneof(
      fc.constantFrom("\n", "\r\n", "\t", "  ", "#", ": ", "|", "'", '"', "\u0085", "\u2028", "\ufeff", "---", "done"),
      fc.string({ unit: "binary" }),
    ),
  )
  .map((parts) => parts.join(""));

test("any text at all is either read back exactly or refused", () => {
  let refused = 0;
  fc.assert(
    fc.property(anything, (value) => {
      const outcome = set(
        form.written,
        { thoughts: value, test_passed: "y", "a.decision": "main", "b.decision": "main", answer: "x" },
        true,
      );
      if (!outcome.ok) return void refused++;
      expect(readForm(form, outcome.text)).toMatchObject({ kind: "accepted", values: { thoughts: trimmedText(value) } });
    }),
    { numRuns: 500 },
  );
  expect(refused).toBeLessThan(250);
});

/** Blank lines before a text and white space behind it are the form's. */
const trimmedText = (text: string) =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/^(?:[ \t]*\n)+/, "")
    .replace(/[ \t\n]+$/, "");
