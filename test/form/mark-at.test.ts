import fc from "fast-check";
import { expect, test } from "vitest";
import { type FormDescription, fieldPaths, markAt, mergeForm, readForm } from "../../src/form/index.ts";
import { fill, fills, finished, forms, gateId, written } from "./begun-forms.ts";

const description: FormDescription = {
  key: "gate",
  title: ["GATE"],
  fields: [
    { kind: "text", key: "thoughts", help: ["Optional message"] },
    {
      kind: "group",
      key: "feedback",
      computed: true,
      fields: [{ kind: "group", key: "a", notes: "About a", fields: [{ kind: "text", key: "changes", help: ["What must change"] }] }],
    },
  ],
};
const form = written(description);

test("what the gate finds stands above its field, or the nearest around it, or at the end", () => {
  const saved = finished(form.written).replaceAll("\n", "\r\n");
  const { text, marks } = markAt(form, saved, {
    breaches: [
      { path: ["feedback", "a"], message: "The approach was rewritten." },
      { path: ["feedback", "a", "changes", "more"], message: "Too vague." },
      { path: ["logs"], message: "The logs have more than 9 tokens." },
    ],
  });
  expect(text).toBe(
    form.written
      .replace("  a:\n", "  # ✗ The approach was rewritten.\n  a:\n")
      .replace("    changes: |\n", "    # ✗ Too vague.\n    changes: |\n")
      .replace("done: false\n", "# ✗ The logs have more than 9 tokens.\ndone: false\n")
      .replaceAll("\n", "\r\n"),
  );
  expect(marks.map(({ path, line }) => [path, text.split("\r\n")[line - 1]!.trim()])).toEqual([
    ["feedback.a", "a:"],
    ["feedback.a.changes", "changes: |"],
    ["done", "done: false"],
  ]);
});

test("a new or rewritten entry is marked by the path that merging gave it", () => {
  const question = { fields: [{ kind: "fixed", key: "question", text: "Why?" } as const, { kind: "text", key: "answer" } as const] };
  const next: FormDescription = { ...description, fields: [...description.fields, { kind: "list", key: "questions", items: [question] }] };
  const merged = mergeForm(form, finished(form.written), { next, gateId })!;
  expect(merged.added).toEqual(["questions[0]"]);
  const breaches = ["feedback.a", ...merged.added].map((path) => ({ path: [path], message: "This is new." }));
  const { text } = markAt(merged.form, merged.text, { breaches });
  expect(text).toContain("  # ✗ This is new.\n  a:\n");
  expect(text).toContain('  # ✗ This is new.\n  - question: "Why?"\n');
  expect(text).toContain("done: false\n");
});

test("old marks go, but not what a person wrote that looks like one", () => {
  const first = markAt(form, finished(form.written), { breaches: [{ path: ["thoughts"], message: "First." }] }).text;
  const saved = finished(first).replace("changes: |\n", "changes: |\n      # ✗ my own cross\n      and more\n");
  const second = markAt(form, saved, { breaches: [{ path: [], message: "Second." }], handedBack: first }).text;
  expect(second).toBe(
    form.written
      .replace("changes: |\n", "changes: |\n      # ✗ my own cross\n      and more\n")
      .replace("done: false", "# ✗ Second.\ndone: false"),
  );
});

test("a script's JSON is handed back as a form, since a mark needs a line to stand above", () => {
  const { text } = markAt(form, '{"thoughts":"hi","feedback":{"a":{"changes":"x"}},"done":true}', {
    breaches: [{ path: ["thoughts"], message: "No." }],
  });
  expect(text).toContain("# ✗ No.\nthoughts: |\n  hi\n");
  expect(text).toContain("done: false\n");
});

test("a form without one certain reading is still marked", () => {
  const { text } = markAt(form, finished(form.written).replace("  a:\n", ""), {
    breaches: [{ path: ["feedback", "a"], message: "Gone." }],
  });
  expect(text).toContain("    # ✗ Gone.\n    changes: |\n".replace(/^ +/, "  "));
  expect(text).toContain("done: false");
});

test("whatever was typed, taking the marks out again gives the person's bytes", () => {
  fc.assert(
    fc.property(forms, fills, fc.array(fc.nat()), (description, filled, picks) => {
      const form = written(description);
      const begun = fill(form.written, filled);
      const paths = fieldPaths(description).map(({ path }) => path.split(/[.[\]]+/).filter(Boolean));
      const breaches = picks.map((n) => ({ path: paths[n % paths.length]!, message: `Look at this (${n}).` }));
      const handedBack = markAt(form, finished(begun), { breaches }).text;
      expect(handedBack.replace(/^ *# ✗ Look at this .*\r?\n/gm, "")).toBe(begun);
      expect(readForm(form, finished(handedBack), { handedBack })).toEqual(readForm(form, finished(begun)));
      expect(markAt(form, finished(handedBack), { breaches, handedBack }).text).toBe(handedBack);
    }),
    { numRuns: 100 },
  );
});
