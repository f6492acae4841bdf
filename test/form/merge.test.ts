import fc from "fast-check";
import { expect, test } from "vitest";
import { type Field, type FormDescription, type FormValues, mergeForm, readForm, writeForm } from "../../src/form/index.ts";
import { clumsily, fill, fills, finished, forms, gateId, strays, written } from "./begun-forms.ts";

const approach = (key: string, notes = `About ${key}`): Field => ({
  kind: "group",
  key,
  notes,
  fields: [
    { kind: "text", key: "changes", help: ["What must change"] },
    { kind: "choice", key: "decision", choices: ["main", "rejected"], initial: null },
  ],
});
const asked = (text: string) => ({
  fields: [
    { kind: "fixed", key: "question", text },
    { kind: "text", key: "answer", required: true },
  ] as const,
});
const gate = (approaches: Field[], questions: string[] = [], title = "GATE. Waits 12 h."): FormDescription => ({
  key: "gate",
  title: [title],
  fields: [
    { kind: "text", key: "thoughts", help: ["Optional message"] },
    { kind: "group", key: "feedback", computed: true, help: ["One entry per approach"], fields: approaches },
    { kind: "list", key: "questions", items: questions.map(asked) },
  ],
});
const type = (text: string, above: string, words: string) => text.replace(`${above}: |\n`, `${above}: |\n      ${words}\n`);
const values = (form: ReturnType<typeof written>, text: string, handedBack?: string): FormValues => {
  const outcome = readForm(form, finished(text), handedBack === undefined ? {} : { handedBack });
  if (outcome.kind !== "accepted") throw new Error(`${outcome.kind}\n${"text" in outcome ? outcome.text : text}`);
  return outcome.values as FormValues;
};

test("an approach that appeared while the form lay open is added in its place", () => {
  const form = written(gate([approach("a"), approach("c")]));
  const begun = type(form.written, "changes", "mine");
  const next = gate([approach("a"), approach("b"), approach("c")], ["Why?"]);
  const merged = mergeForm(form, begun, { next, gateId })!;
  expect(merged).toMatchObject({ added: ["feedback.b", "questions[0]"], dropped: [], kept: [], changed: [] });
  expect(merged.text).toBe(type(writeForm(next, { gateId }), "changes", "mine"));
  expect(merged.form).toEqual({ description: next, written: writeForm(next, { gateId }) });
});

test("an entry whose subject is gone goes when it is empty and stays when a person wrote there", () => {
  const form = written(gate([approach("a"), approach("b"), approach("c")], ["Why?", "How?"]));
  const begun = type(form.written, "changes", "my words").replace(
    '- question: "How?"\n    answer: |\n',
    '- question: "How?"\n    answer: |\n      like this\n',
  );
  const next = gate([{ ...approach("c"), fields: [{ kind: "text", key: "changes", help: ["What must change"] }] } as Field]);
  const merged = mergeForm(form, begun, { next, gateId })!;
  expect(merged).toMatchObject({
    added: [],
    dropped: ["feedback.b", "feedback.c.decision", "questions[0]"],
    kept: ["feedback.a", "questions[0]"],
  });
  expect(merged.text).toContain("  # What this was about no longer exists; your text is kept and passed on.\n  # > About a\n  a:\n");
  expect(merged.text).toContain(
    'no longer exists; your text is kept and passed on.\n  - question: "How?"\n    answer: |\n      like this\n',
  );
  expect(values(merged.form, merged.text)).toEqual({
    thoughts: "",
    feedback: { a: { changes: "my words", decision: null }, c: { changes: "" } },
    questions: [{ question: "How?", answer: "like this" }],
  });
  const emptied = merged.text.replace("      my words\n", "").replace("      like this\n", "");
  expect(mergeForm(merged.form, emptied, { next, gateId })).toMatchObject({
    text: writeForm(next, { gateId }),
    dropped: ["feedback.a", "questions[0]"],
  });
  const back = mergeForm(merged.form, merged.text, { next: gate([approach("a"), approach("c")]), gateId })!;
  expect(back.text).not.toContain("# > About a\n  # What this");
  expect(back).toMatchObject({ kept: ["questions[0]"], changed: ["feedback.a"], added: ["feedback.c.decision"] });
});

test("a decision alone keeps an entry, and so does a word in a comment", () => {
  const form = written(gate([approach("a"), approach("b")]));
  const next = gate([]);
  expect(mergeForm(form, form.written.replace("decision: null", "decision: main"), { next, gateId })).toMatchObject({
    kept: ["feedback.a"],
  });
  expect(mergeForm(form, form.written.replace("  a:\n", "  a:\n    # mine\n"), { next, gateId })).toMatchObject({ kept: ["feedback.a"] });
});

test("a subject that was rewritten is shown anew, with the person's words where they were", () => {
  const form = written(gate([approach("a"), approach("b")]));
  const begun = type(form.written, "changes", "mine").replaceAll("\n", "\r\n");
  const merged = mergeForm(form, begun, {
    next: gate([approach("a", "Told anew\nin two lines"), approach("b")], [], "GATE. Waits 4 h."),
    gateId,
  })!;
  expect(merged.changed).toEqual(["feedback.a"]);
  expect(merged.text).toBe(begun.replace("  # > About a\r\n", "  # > Told anew\r\n  # > in two lines\r\n").replace("12 h", "4 h"));
});

test("a title that the person took away does not come back, and no old deadline is left", () => {
  const form = written(gate([approach("a")]));
  const next = gate([approach("a")], [], "GATE. Waits 4 h.");
  const without = form.written.replace(/^# Write.*\n/m, "");
  expect(mergeForm(form, without, { next, gateId })!.text).toBe(without.replace("# GATE. Waits 12 h.\n", ""));
});

test("marks stay with entries that stay and go with those that go", () => {
  const form = written(gate([approach("a"), approach("b")]));
  const refused = readForm(form, finished(form.written)) as { text: string };
  expect(refused.text.match(/✗/g)).toHaveLength(2);
  const merged = mergeForm(form, refused.text, { next: gate([approach("b")]), gateId, handedBack: refused.text })!;
  expect(merged.dropped).toEqual(["feedback.a"]);
  expect(merged.text.match(/✗/g)).toHaveLength(1);
  const typedBehind = refused.text.replace(/(✗.*)\n/, "$1 because of this\n");
  expect(mergeForm(form, typedBehind, { next: gate([approach("b")]), gateId, handedBack: refused.text })!.text).toContain(
    "because of this",
  );
});

test("a form with a key line twice or missing is not merged, and neither is one whose text would change its meaning", () => {
  const form = written(gate([approach("a")]));
  const next = gate([approach("a"), approach("b")]);
  expect(mergeForm(form, form.written.replace("  a:\n", "  a:\n  a:\n"), { next, gateId })).toBeUndefined();
  expect(mergeForm(form, form.written.replace("  a:\n", ""), { next, gateId })).toBeUndefined();
  expect(mergeForm(form, form.written.replace("thoughts: |\n", "thoughts: |\n  b:\n"), { next, gateId })).toBeUndefined();
  expect(
    mergeForm(form, form.written.replace("# Optional message", "# Optional message my words"), {
      next: { ...next, fields: next.fields.slice(1) },
      gateId,
    }),
  ).toBeUndefined();
});

test("a form that a script or a formatter rewrote is set in envoy's lines before it is added to", () => {
  const form = written(gate([approach("a")]));
  const next = gate([approach("a"), approach("b")]);
  const json = JSON.stringify({ thoughts: "two\nlines", feedback: { a: { changes: "x", decision: "main" } }, done: false });
  const wide = type(form.written, "changes", "x").replace("decision: null", "decision: main").replace(/^( +)/gm, "$1$1");
  for (const text of [json, wide]) {
    const merged = mergeForm(form, text, { next, gateId })!;
    expect(merged.added).toEqual(["feedback.b"]);
    expect(values(merged.form, merged.text.replace("decision: null", "decision: rejected"))).toMatchObject({
      feedback: { a: { changes: "x", decision: "main" }, b: { changes: "", decision: "rejected" } },
    });
    expect(mergeForm(form, text, { next: form.description, gateId })!.text).toBe(text);
  }
});

test("whatever was typed and however the subjects changed, every value that was there is still read", () => {
  fc.assert(
    fc.property(forms, forms, fills, (before, next, filled) => {
      const form = written(before);
      const text = fill(form.written, filled);
      const old = values(form, text);
      expect(mergeForm(form, text, { next: before, gateId })!.text).toBe(text);

      const merged = mergeForm(form, text, { next, gateId })!;
      expect(merged.form.written).toBe(writeForm(merged.form.description, { gateId }));
      const now = values(merged.form, merged.text);
      expect(entries(now)).toEqual({
        ...entries(values(written(next), written(next).written)),
        ...onlyStaying(entries(old), entries(now)),
      });
      const lost = Object.entries(entries(old)).filter(([path]) => !(path in entries(now)));
      expect(lost.filter(([path, value]) => value !== "" && value !== false && !path.endsWith("question"))).toEqual([]);

      expect(typedLines(merged.text, [before, merged.form.description])).toEqual(typedLines(text, [before, merged.form.description]));
      const twice = mergeForm(merged.form, merged.text, { next, gateId })!;
      expect(twice).toEqual({ ...merged, added: [], dropped: [], changed: [] });
    }),
    { numRuns: 200 },
  );
});

test("whatever was typed in whatever place, either nothing is merged or every typed line is still there", () => {
  let merges = 0;
  fc.assert(
    fc.property(forms, forms, fc.tuple(fills, strays), (before, next, [filled, typed]) => {
      const form = written(before);
      const text = clumsily(fill(form.written, { ...filled, crlf: false }), typed);
      const merged = mergeForm(form, text, { next, gateId });
      if (!merged) return;
      merges++;
      const known = [before, merged.form.description];
      expect(typedLines(merged.text, known)).toEqual(typedLines(text, known));
      expect(mergeForm(merged.form, merged.text, { next, gateId })?.text).toBe(merged.text);
      const [was, is] = [readForm(form, finished(text)), readForm(merged.form, finished(merged.text))];
      if (was.kind === "accepted") expect(is.kind).toBe("accepted");
      if (is.kind === "accepted") expect(was.kind).toBe("accepted");
    }),
    { numRuns: 300 },
  );
  expect(merges).toBeGreaterThan(30);
});

test("an untouched form becomes the new form, but for blank lines and order", () => {
  fc.assert(
    fc.property(forms, forms, (before, next) => {
      const merged = mergeForm(written(before), written(before).written, { next, gateId })!;
      const filled = (text: string) => text.split("\n").filter((line) => line.trim());
      expect(filled(merged.text)).toEqual(filled(merged.form.written));
      expect(merged.kept).toEqual([]);
    }),
  );
});

/** Every value by a path that names list items by their question, so that a changed order does not matter. */
function entries(value: unknown, path = ""): Record<string, unknown> {
  if (Array.isArray(value)) return Object.assign({}, ...value.map((item) => entries(item, `${path}/${item.question}`)));
  if (value === null || typeof value !== "object") return { [path]: value };
  return Object.assign({}, ...Object.entries(value).map(([key, own]) => entries(own, `${path}/${key}`)));
}

const onlyStaying = (old: Record<string, unknown>, now: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(old).filter(([path]) => path in now));

/** The lines, with their endings, that envoy did not write. */
function typedLines(text: string, descriptions: FormDescription[]): string[] {
  const own = new Set(descriptions.flatMap((description) => writeForm(description, { gateId }).split("\n")).map((line) => line.trim()));
  return text.match(/[^\n]*\n|[^\n]+$/g)!.filter((line) => !own.has(line.replace(/^\ufeff/, "").trim()));
}
