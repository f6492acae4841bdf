// Answers that are right must not be asked for twice, whatever wrote them.
import fc from "fast-check";
import { expect, test } from "vitest";
import { parse, parseDocument, stringify } from "yaml";
import { type FormValues, readForm } from "../../src/form/index.ts";
import { type Filled, type FormLine, filledForms, meantText, savedText } from "../support/filled-form.ts";
import { confirmed, flatValues } from "../support/forms.ts";

/** The values meant, which the plainly filled form has been shown to give (generated.test.ts). */
const meant = (filled: Filled) => readForm(filled.form, savedText(filled.lines));

const expectSame = (rewrite: (filled: Filled) => string, options: { settled?: boolean } = {}) =>
  fc.assert(
    fc.property(filledForms, (filled) => {
      const saved = rewrite(filled);
      expect(readForm(filled.form, saved, options), `saved:\n${saved}`).toEqual(meant(filled));
    }),
    { numRuns: 400, seed: 4 },
  );

/** Each text as a person who knows YAML would set it by hand. */
const restyled = (style: (text: string, indent: string) => string | undefined) => (filled: Filled) => {
  const lines = filled.lines.flatMap((line): FormLine[] => {
    if (line.role === "text") return [];
    const text = line.role === "key" ? meantText(filled.lines, line.k) : "";
    if (!text) return [line];
    const indent = " ".repeat(filled.keys[line.k]!.indent + 2);
    const own = style(text, indent) ?? `|\n${block(text, indent)}`;
    return [{ ...line, raw: line.raw.replace(/\|$/, () => own) }];
  });
  return savedText(lines);
};
const block = (text: string, indent: string) => text.replace(/^(?=.)/gm, indent);
const oneLine = (text: string) => !text.includes("\n");

test.each([
  ["a stripped block", (text: string, indent: string) => `|-\n${block(text, indent)}`],
  ["a kept block", (text: string, indent: string) => `|+\n${block(text, indent)}\n\n`],
  ["a block with its own indentation", (text: string, indent: string) => `|2\n${block(text, indent)}`],
  ["a block indented further", (text: string, indent: string) => `|\n${block(text, `${indent}   `)}`],
  ["a folded block of one line", (text: string, indent: string) => (oneLine(text) ? `>\n${block(text, indent)}` : undefined)],
  ["a stripped folded block", (text: string, indent: string) => (oneLine(text) ? `>-\n${block(text, indent)}` : undefined)],
  ["single quotes", (text: string) => (oneLine(text) && text !== "''" ? `'${text.replaceAll("'", "''")}'` : undefined)],
  ["double quotes", (text: string) => (oneLine(text) && !/\t|(^| )\\/.test(text) ? JSON.stringify(text) : undefined)],
])("texts set by hand as %s are accepted", (_what, style) => {
  expect(() => expectSame(restyled(style))).not.toThrow();
});

test("a folded block means what YAML makes of it", () => {
  const [filled] = fc.sample(filledForms, { numRuns: 1, seed: 4 });
  const { form } = filled!;
  const saved = confirmed(form.written)
    .replace("thoughts: |\n", "thoughts: >\n  one line\n  and its end\n\n  a paragraph\n")
    .replace("test_passed: null", "test_passed: yes")
    .replace("decision: null", "decision: main");
  const outcome = readForm(form, saved);
  expect(outcome.kind === "accepted" && outcome.values["thoughts"]).toBe("one line and its end\na paragraph");
});

const stripped = (text: string) => text.replace(/[ \t]+$/gm, "");
test.each([
  ["trailing spaces stripped", stripped],
  ["blank lines doubled and the end padded", (text: string) => `${text.replace(/^(?=#)/gm, "\n")}\n\n`],
  ["Windows line ends", (text: string) => text.replaceAll("\n", "\r\n")],
  ["a byte order mark", (text: string) => `\ufeff${text}`],
  ["no final newline", (text: string) => text.slice(0, -1)],
])("a form saved by an editor with %s is accepted", (_what, format) => {
  expect(() => expectSame(({ lines }) => format(savedText(lines)))).not.toThrow();
});

test("a formatter that collapses blank lines outside texts changes nothing", () => {
  expect(() =>
    expectSame(({ lines }) => stripped(savedText(lines.filter((own, i) => own.role !== "blank" || lines[i - 1]?.role !== "blank")))),
  ).not.toThrow();
});

test("`sed -i 's/done: false/done: true/'` finishes a form", () => {
  expect(() =>
    expectSame(({ lines }) =>
      savedText(lines)
        .replace(/^done: true/m, "done: false")
        .replaceAll("done: false", "done: true"),
    ),
  ).not.toThrow();
});

test.each([
  [
    "PyYAML (sorted keys, folded at 80, quoted texts)",
    { sortMapEntries: true, lineWidth: 80, blockQuote: false, singleQuote: true, indentSeq: false },
  ],
  ["ruamel (literal blocks)", { lineWidth: 80, blockQuote: "literal", indentSeq: false }],
  ["a printer of folded blocks", { lineWidth: 80, blockQuote: "folded" }],
  ["a printer that quotes everything", { lineWidth: 0, defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN", blockQuote: false }],
] as const)("a whole file rewritten by %s counts once it has settled", (_what, style) => {
  const rewrite = ({ lines }: Filled) => stringify(parse(savedText(lines)), style);
  expect(() => expectSame(rewrite, { settled: true })).not.toThrow();
  const [filled] = fc.sample(filledForms, { numRuns: 1, seed: 4 });
  expect(readForm(filled!.form, rewrite(filled!))).toEqual({ kind: "unsettled" });
});

test("JSON is YAML, so a script may write JSON", () => {
  expect(() => expectSame(({ lines }) => JSON.stringify(parse(savedText(lines)), null, 2), { settled: true })).not.toThrow();
});

test("a YAML library that sets values in the document and keeps the comments is understood", () => {
  expect(() =>
    expectSame((filled) => {
      const document = parseDocument(filled.form.written);
      const outcome = meant(filled) as { values: FormValues };
      for (const [path, value] of Object.entries(flatValues(outcome.values))) {
        if (value !== "")
          document.setIn(
            path.split(".").map((step) => (/^\d+$/.test(step) ? Number(step) : step)),
            value,
          );
      }
      document.set("done", true);
      return document.toString();
    }),
  ).not.toThrow();
});
