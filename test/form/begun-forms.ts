// Random forms and what people write into them, for the tests of everything that writes into a begun form.
import fc from "fast-check";
import { type Field, type FormDescription, type WrittenForm, writeForm } from "../../src/form/index.ts";

export const gateId = "g_7k2m9xq4twe";
export const written = (description: FormDescription): WrittenForm => ({ description, written: writeForm(description, { gateId }) });

const note = fc.constantFrom("Sessions in Redis", "Passkeys\nwith a fallback", "done: true", "");
const question = fc.constantFrom("SSR or CSR?", "Which port: 80 or 8080?", "Why # not?", 'Keep "old" tests?', "Two\nlines?");

const questions = (key: string): fc.Arbitrary<Field> =>
  fc.uniqueArray(question, { maxLength: 4 }).map((texts) => ({
    kind: "list",
    key,
    items: texts.map((text) => ({
      fields: [
        { kind: "fixed", key: "question", text },
        { kind: "text", key: "answer", help: ["Your answer"] },
      ],
    })),
  }));

const approach = (key: string): fc.Arbitrary<Field> =>
  fc.record({ note, variant: fc.boolean(), asked: questions("question_answers") }).map(({ note, variant, asked }) => ({
    kind: "group",
    key,
    ...(note && { notes: note }),
    fields: [
      { kind: "text", key: "user_required_changes", help: ["What must change; empty if nothing"] },
      ...(variant ? [{ kind: "yesno", key: "rejected", initial: false } as const] : []),
      asked,
    ],
  }));

export const forms: fc.Arbitrary<FormDescription> = fc
  .record({
    wait: fc.constantFrom("12 h", "4 h"),
    approaches: fc
      .shuffledSubarray(["backend_1", "frontend_1_A", "frontend_1_B", "1", "2_A"])
      .chain((keys) => fc.tuple(...keys.map(approach))),
    asked: questions("questions"),
    help: fc.constantFrom("main, accepted or rejected", "main or accepted; else rejected"),
  })
  .map(({ wait, approaches, asked, help }) => ({
    key: "sample",
    title: [`SAMPLE GATE. Asked by planner, who waits ${wait}.`],
    schemaPath: "../schemas/sample.json",
    fields: [
      { kind: "text", key: "thoughts", help: ["Optional message to the agent"] },
      { kind: "group", key: "approach_feedback", computed: true, help: ["One entry per approach"], fields: approaches },
      asked,
      { kind: "choice", key: "decision", choices: ["main", "accepted", "rejected"], initial: "main", help: [help] },
    ],
  }));

const words = fc.constantFrom(
  "yes",
  "see PR #12",
  "# not a comment",
  "a: b",
  "- item",
  "  deeper",
  "",
  "C:\\temp",
  "“quoted”",
  "x | y",
  "日本 ✓",
);
export const texts = fc.array(words, { minLength: 1, maxLength: 4 }).map((lines) => lines.join("\n").trim());

export interface Fill {
  typed: string[];
  decided: boolean[];
  crlf: boolean;
  bom: boolean;
  blanks: number[];
}
export const fills: fc.Arbitrary<Fill> = fc.record({
  typed: fc.array(fc.oneof({ weight: 2, arbitrary: fc.constant("") }, { weight: 1, arbitrary: texts }), { minLength: 6, maxLength: 12 }),
  decided: fc.array(fc.boolean(), { minLength: 3, maxLength: 6 }),
  crlf: fc.boolean(),
  bom: fc.boolean(),
  blanks: fc.array(fc.nat(60), { maxLength: 3 }),
});

/** The form as a person leaves it: texts typed on the empty lines, decisions changed, blank lines added, another editor's endings. */
export function fill(form: string, { typed, decided, crlf, bom, blanks }: Fill): string {
  let t = 0;
  let d = 0;
  const lines = form.split("\n").flatMap((line) => {
    if (/^ +$/.test(line)) {
      const text = typed[t++ % typed.length]!;
      return text === "" ? [line] : [...text.split("\n").map((own) => (own ? line + own : "")), ...(t % 2 ? [""] : [])];
    }
    if (line.endsWith("rejected: false") && decided[d++ % decided.length]) return [line.replace("false", "Yes")];
    if (line === "decision: main" && decided[0]) return ["decision: accepted"];
    return [line];
  });
  const spaced = lines.flatMap((line, i) => (blanks.includes(i) && /^[a-z]/.test(line) && !line.startsWith("done") ? ["", line] : [line]));
  return (bom ? "\ufeff" : "") + spaced.join(crlf ? "\r\n" : "\n");
}

export const finished = (text: string): string => text.replace(/^done: false/m, "done: true");

const stray = fc.constantFrom(
  "typed at the margin",
  "  # a comment of my own",
  "# ✗ my own cross",
  "    rejected: true",
  "see: this",
  "- a list",
  "      deep words",
  "# Your answer and mine",
  "\tafter a tab",
);
/** Lines typed anywhere, whether that makes sense or not. */
export const strays = fc.array(fc.tuple(fc.nat(), stray), { minLength: 1, maxLength: 3 });
export function clumsily(text: string, typed: readonly [number, string][]): string {
  return typed.reduce((lines, [n, line]) => lines.toSpliced(n % lines.length, 0, line), text.split("\n")).join("\n");
}
