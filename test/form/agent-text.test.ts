import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { type FormDescription, type FormValues, readForm, writeForm } from "../../src/form/index.ts";
import { confirmed } from "../support/forms.ts";

const HOSTILE = [
  "\ndone: true",
  "\r\ndone: true\r\n",
  "\rdone: true",
  "\u2028done: true",
  "\u0085done: true",
  "---",
  "\n---\n",
  "...",
  "\n# end of form g_7k2m9xq4twe (keep this line)",
  "# end of form g_7k2m9xq4twe (keep this line)",
  "# ✗ wrong",
  "✗ wrong",
  "end of form g_x",
  "vim: set modeline:",
  "vi:noai:sw=3",
  "ex: set x",
  "-*- mode: sh -*-",
  "yaml-language-server: $schema=http://evil.example",
  "# Local Variables:",
  "\u001b[2J\u001b[31m",
  "\u001b]0;title\u0007",
  "\u009b31m",
  "\u202e\u2066",
  "\ufeff",
  "\u0000",
  "\u007f",
  '"',
  "'",
  "\\",
  "\\n",
  "#",
  ": ",
  "- ",
  "|",
  ">",
  "&a",
  "*a",
  "!tag",
  "{",
  "}",
  "[",
  "]",
  "%",
  "@",
  "`",
  "\t",
  "thoughts: |",
  "rejected: true",
  "🚀",
  "\ud800",
  "é",
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ maxLength: 6 }), fc.constant("words ")), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(""));

const described = fc
  .record({ title: hostile, help: hostile, notes: hostile, question: hostile, choice: hostile, itemNotes: hostile })
  .map(({ title, help, notes, question, choice, itemNotes }): FormDescription => ({
    key: "review_gate",
    title: [title],
    schemaPath: "../../schemas/x.json",
    fields: [
      { kind: "text", key: "thoughts", help: [help], notes },
      {
        kind: "group",
        key: "entries",
        fields: [
          {
            kind: "group",
            key: "frontend_1_A",
            notes,
            help: [help],
            fields: [{ kind: "yesno", key: "rejected", initial: false, help: [help] }],
          },
        ],
      },
      {
        kind: "list",
        key: "questions",
        help: [help],
        items: [
          {
            notes: itemNotes,
            fields: [
              { kind: "fixed", key: "question", text: question },
              { kind: "text", key: "answer", notes },
            ],
          },
        ],
      },
      { kind: "choice", key: "decision", choices: ["main", choice], initial: choice, optional: true },
    ],
  }));

const everyForm = (holds: (description: FormDescription, written: string) => void) =>
  fc.assert(
    fc.property(described, (description) => holds(description, writeForm(description, { gateId: "g_7k2m9xq4twe" }))),
    { numRuns: 1500, seed: 4 },
  );

// oxlint-disable-next-line no-control-regex -- these are the characters in question
const DRAWS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

test("nothing an agent says breaks out of its comment or its quotes", () => {
  everyForm((description, written) => {
    const values = parse(written) as Record<string, unknown>;
    expect(Object.keys(values)).toEqual(["thoughts", "entries", "questions", "decision", "done"]);
    expect(values["done"]).toBe(false);
    expect(Object.values(values["entries"] as object)).toEqual([{ rejected: false }]);
    expect(values["questions"]).toMatchObject([{ answer: "" }]);
    expect(written.match(/^\s*# end of form/gim)).toHaveLength(1);
    expect(written).not.toMatch(/^\s*# ✗/m);
    expect(readForm({ description, written }, written)).toEqual({ kind: "waiting" });
  });
});

test("nothing an agent says draws on a terminal or steers an editor", () => {
  everyForm((_description, written) => {
    expect(written).not.toMatch(DRAWS);
    expect(written).not.toMatch(/(^|\s)(vi|vim|ex|Vim)([<=>]?\d+)?:|-\*-|Local Variables:/m);
    expect(written.match(/yaml-language-server:/g)).toHaveLength(1);
    expect(written.isWellFormed()).toBe(true);
  });
});

test("whatever an agent says, the person's answer arrives as typed, and so do the agent's own words", () => {
  everyForm((description, written) => {
    const saved = confirmed(written)
      .replace(/^thoughts: \|\n/m, "thoughts: |\n  see PR #12\n")
      .replace(/^ *rejected: false/m, "    rejected: yes")
      .replace(/^ *answer: \|\n/m, "    answer: |\n      because: so\n");
    const outcome = readForm({ description, written }, saved);
    expect(outcome.kind, `saved:\n${saved}`).toBe("accepted");
    const { values } = outcome as { values: FormValues };
    expect(values).toMatchObject({ thoughts: "see PR #12", questions: [{ answer: "because: so" }] });
    expect(Object.values(values["entries"] as FormValues)).toEqual([{ rejected: true }]);
    const [list, choice] = [description.fields[2], description.fields[3]] as unknown as {
      items: { fields: { text: string }[] }[];
      initial: string;
    }[];
    expect((values["questions"] as FormValues[])[0]!["question"]).toBe(list!.items[0]!.fields[0]!.text);
    expect([null, choice!.initial]).toContain(values["decision"]);
  });
});

test("marks quote what was typed without obeying it", () => {
  fc.assert(
    fc.property(hostile, (typed) => {
      const description: FormDescription = { key: "x", title: ["X"], fields: [{ kind: "yesno", key: "passed", initial: null }] };
      const written = writeForm(description, { gateId: "g_1" });
      const saved = confirmed(written).replace("null", () => `maybe ${typed.replace(/[\r\n]/g, " ")}`);
      const outcome = readForm({ description, written }, saved);
      const told = (outcome as { marks: { message: string }[] }).marks.map(({ message }) => message);
      expect(outcome.kind).toMatch(/refused|mended/);
      expect((outcome as { text: string }).text.match(/^\s*# ✗.*$/gm)!.join("\n")).not.toMatch(DRAWS);
      expect(told.join(" ")).not.toBe("");
    }),
    { numRuns: 800, seed: 4 },
  );
});
