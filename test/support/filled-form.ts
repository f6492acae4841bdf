import fc from "fast-check";
import { type FormDescription, type WrittenForm, writeForm } from "../../src/form/index.ts";
import { type KeyLine, keyLines } from "../../src/form/key-lines.ts";

/** One line of a form that is being filled in, and whose it is: the field's text, a key, or the form's own. */
export interface FormLine {
  raw: string;
  role: "comment" | "key" | "text" | "blank";
  /** The key it belongs to. */
  k: number;
  /** The text a person meant by it, without the form's indentation. */
  meant?: string;
}
export interface Filled {
  form: WrittenForm;
  keys: KeyLine[];
  lines: FormLine[];
  /** What the person decided, by key. */
  decisions: Map<number, unknown>;
}

const TITLE = ["REVIEW GATE of feature/login. Asked by planner on 18 Nov 10:02, who waits 12 h."];
const text = (key: string, help?: string) => ({ kind: "text" as const, key, ...(help ? { help: [help] } : {}) });

/** Forms of the shapes that gates use: texts, decisions, entries, questions. */
const descriptions: fc.Arbitrary<FormDescription> = fc
  .record({ entries: fc.integer({ min: 0, max: 3 }), questions: fc.integer({ min: 0, max: 2 }), decisions: fc.boolean() })
  .map(({ entries, questions, decisions }) => ({
    key: "review_gate",
    title: TITLE,
    fields: [
      text("thoughts", "Optional message to the agent"),
      {
        kind: "group",
        key: "approach_feedback",
        computed: true,
        fields: Array.from({ length: entries }, (_, i) => ({
          kind: "group" as const,
          key: `backend_${i + 1}`,
          notes: `Approach ${i + 1}\nwith: details # here`,
          fields: [
            text("user_required_changes", "What must change; empty if nothing"),
            { kind: "yesno" as const, key: "rejected", initial: false },
            {
              kind: "list" as const,
              key: "question_answers",
              items: Array.from({ length: questions }, (_q, q) => ({
                fields: [{ kind: "fixed" as const, key: "question", text: `Why "${q}": this?` }, text("answer")],
              })),
            },
          ],
        })),
      },
      ...(decisions
        ? [
            { kind: "yesno" as const, key: "test_passed", initial: null },
            { kind: "choice" as const, key: "decision", choices: ["main", "accepted", "rejected"], initial: null, help: ["Which one"] },
            { kind: "number" as const, key: "effort", initial: 3 },
          ]
        : []),
    ],
  }));

const WORDS = [
  "naïve",
  "x1",
  "fix",
  "the",
  "tests",
  "🚀",
  "“so”",
  "12",
  "C:\\temp",
  "it's",
  '"quoted"',
  "a\u00a0b",
  "#12",
  "# so",
  "yes",
  "null",
  "~",
];
const LINES = [
  "see PR #12",
  "note: use redis",
  "- one",
  "* two",
  "--- a/x",
  "---",
  "...",
  "[x] first",
  "[ ] second",
  "{a: 1}",
  "@anna look",
  "&more",
  "!important",
  "| a | b |",
  "> quoted",
  "%TEMP%",
  "`code`",
  '"open',
  "'open",
  "C:\\temp\\",
  "key: value: more",
  "? what",
  "# heading",
  "#nospace",
  "a\tb",
  "TypeError: x is not a function",
  "https://example.com/#top",
  "1.10",
  "true",
  "<b>",
  "\\n \\t",
  "50 % done",
  "ends with colon:",
  "a # b",
  "- - -",
  "|",
  ">-",
  "''",
];
const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 }).map((some) => some.join(" "));
const line = fc.oneof(words, fc.constantFrom(...LINES));
const laterLine = fc.oneof(
  { weight: 6, arbitrary: line },
  { weight: 1, arbitrary: fc.constant("") },
  { weight: 1, arbitrary: line.map((own) => `    ${own}`) },
);
/** What people write: it begins and ends with a filled line. */
const texts: fc.Arbitrary<string[]> = fc
  .tuple(line, fc.array(laterLine, { maxLength: 3 }))
  .map(([first, rest]) => [first, ...rest.slice(0, rest.findLastIndex((own) => own !== "") + 1)]);

const SAID: Record<string, [string, unknown][]> = {
  yesno: [
    ["true", true],
    ["false", false],
    ["yes", true],
    ["No", false],
    ["ON", true],
    ["off", false],
    ["x", true],
    ['"true"', true],
    ["'n'", false],
  ],
  choice: [
    ["main", "main"],
    ["Accepted", "accepted"],
    ['"rejected"', "rejected"],
    ["MAIN", "main"],
  ],
  number: [
    ["5", 5],
    ["-1.5", -1.5],
    ['"7"', 7],
  ],
};

/** A form filled in as its comments ask for: text on the empty line, decisions behind the colon, `done: true`. */
export const filledForms: fc.Arbitrary<Filled> = descriptions.chain((description) => {
  const keys = keyLines(description);
  const fill = fc.record({ lines: fc.option(texts, { nil: undefined, freq: 3 }), said: fc.nat() });
  return fc.array(fill, { minLength: keys.length, maxLength: keys.length }).map((fills) => {
    const form = { description, written: writeForm(description, { gateId: "g_7k2m9xq4twe" }) };
    return { form, keys, ...fillIn(form.written, keys, fills) };
  });
});

interface Fill {
  lines: string[] | undefined;
  said: number;
}
function fillIn(written: string, keys: KeyLine[], fills: Fill[]): Pick<Filled, "lines" | "decisions"> {
  const lines: FormLine[] = [];
  const decisions = new Map<number, unknown>();
  let k = -1;
  for (const raw of written.trimEnd().split("\n")) {
    const own = raw.trim();
    if (own === "") {
      const typed = raw === "" ? undefined : fills[k]?.lines;
      if (!typed) lines.push({ raw, role: "blank", k });
      for (const meant of typed ?? []) lines.push({ raw: meant && raw + meant, role: "text", k, meant });
    } else if (own.startsWith("#")) lines.push({ raw, role: "comment", k: k + 1 });
    else {
      const { field } = keys[++k]!;
      const said = field === "done" ? (["true", true] as const) : SAID[field.kind]?.[fills[k]!.said % SAID[field.kind]!.length];
      if (said) decisions.set(k, said[1]);
      lines.push({ raw: said ? raw.replace(/:.*/, `: ${said[0]}`) : raw, role: "key", k });
    }
  }
  return { lines, decisions };
}

export const savedText = (lines: readonly FormLine[]): string => lines.map(({ raw }) => `${raw}\n`).join("");

/** The text meant for a field: what a person typed for it, in order. */
export const meantText = (lines: readonly FormLine[], k: number): string =>
  lines
    .filter((own) => own.role === "text" && own.k === k)
    .map(({ meant }) => meant ?? "")
    .join("\n")
    .replace(/^(?:[ \t]*\n)+|\s+$/g, "");

/** The same lines as envoy sets them: a blank line closes each text, decisions stand without quotes, nobody is finished. */
export const asSetAnew = (lines: readonly FormLine[]): FormLine[] =>
  lines.flatMap((own, i) => {
    const raw = own.role === "key" ? own.raw.replace(/^( *\w+: )(["'])(\w+)\2$/, "$1$3").replace(/^done: true/, "done: false") : own.raw;
    const closesText = own.role === "text" && lines[i + 1]?.role !== "text";
    return [{ ...own, raw }, ...(closesText ? [{ raw: "", role: "blank" as const, k: own.k }] : [])];
  });
