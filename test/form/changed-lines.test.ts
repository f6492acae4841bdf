// envoy's own lines - its comments and its marks - when somebody typed into them, cut them or replaced words everywhere.
import fc from "fast-check";
import { expect, test } from "vitest";
import { type FormOutcome, readForm } from "../../src/form/index.ts";
import { filledForms, savedText } from "../support/filled-form.ts";
import { confirmed, typedForm } from "../support/forms.ts";

const form = typedForm;
const read = (text: string, ...handedBack: string[]) => readForm(form, text, { handedBack, settled: true });
const handed = (outcome: FormOutcome) => {
  expect(["mended", "refused"]).toContain(outcome.kind);
  return outcome as { kind: "mended" | "refused"; text: string; marks: { message: string }[] };
};
const said = (outcome: FormOutcome) => handed(outcome).marks.map(({ message }) => message);
const written = confirmed(form.written);
const remark = "ok with me, go on please and thank you very much, but drop #3";

test.each([
  ["a title", "who waits 12 h.", "main", "main"],
  ["the line on how to answer", "at the end and save.", `  ${remark}`, remark],
  ["an agent's words", "# > Sessions in Redis", ` ${remark}`, remark],
  ["the help of a group", "One entry per approach", ` ${remark}`, remark],
  ["the help of a decision", "accepted or rejected", "  main", "main"],
])("words typed behind %s are quoted, and nothing else", (_what, line, typed, words) => {
  const [first, ...others] = said(read(written.replace(line, `$&${typed}`)));
  expect(first).toBe(`"${words}" stands in a comment, where nobody reads it. Move it to the field it answers, or delete it.`);
  expect(others).toEqual([]);
});

test("a long quotation is cut in its middle, since what matters often comes last", () => {
  const [first] = said(read(written.replace("One entry per approach", `$& well ${"and so ".repeat(60)}but drop #3`)));
  expect(first).toMatch(/^"well and so .{60,}….{60,}but drop #3" stands in a comment/);
  expect([...first!].length).toBeLessThan(300);
});

test("of a line of envoy's that was changed, the mark tells the new words and every way out, and each of them leads out", () => {
  const help = "# true to reject this variant";
  const changed = written.replace("reject this", "no this");
  const { text, marks } = handed(read(changed));
  expect(marks.map(({ message }) => message)).toEqual([
    `"no" was written into envoy's line "${help}", where nobody reads it. If it is an answer, move it to its field; put that line back as it was, or delete it.`,
  ]);
  const line = "    # true to no this variant\n";
  expect(read(confirmed(text).replace(line, ""), text).kind).toBe("accepted");
  expect(read(confirmed(text).replace(line, `    ${help}\n`), text).kind).toBe("accepted");
  const moved = confirmed(text).replace(line, "").replace("thoughts: |\n", "thoughts: |\n# true to no this variant\n");
  expect(said(read(moved, text))[0]).toMatch(/Move it, without its #, to the field it answers, or delete it\.$/);
  expect(said(read(written.replace(help, "# true to reject")))[0]).toContain(
    "was changed, and nobody reads what is left of it. Put it back as it was, or delete it.",
  );
});

test.each([
  ["nothing", "no way", "no way"],
  ["empty", "emptyish", "emptyish"],
  ["must change", "must not change", "not"],
  ["What must", "That must", "That"],
])("a word of which only a part is new is quoted whole: %s, now %s", (old, now, words) => {
  const [first] = said(read(written.replace("# What must change; empty if nothing", (help) => help.replace(old, now))));
  expect(first).toContain(`"${words}" was written into`);
});

test("a changed line above a nested entry is known as envoy's, too", () => {
  expect(said(read(written.replace("# > Sessions in Redis", "# > Sessions in Postgres")))[0]).toContain(
    `"Postgres" was written into envoy's line "# > Sessions in Redis"`,
  );
});

test("a changed last line can be put back or deleted", () => {
  const { text } = handed(read(written.replace("(keep this line)", "(keep that line)")));
  expect(read(confirmed(text).replace("keep that", "keep this"), text).kind).toBe("accepted");
  expect(read(confirmed(text).replace(/^# end of form.*\n/m, ""), text).kind).toBe("mended");
});

const refused = handed(read(written.replace("decision: null", "decision: maybe"))).text;
const mark = /# ✗ "maybe" is not.*/;

test.each([
  ["behind it", (own: string) => `${own} take main please`],
  ["into it", (own: string) => own.replace("Write one", "Write take main please one")],
  ["in place of its end", (own: string) => own.replace("Write one of: main, accepted, rejected.", "take main please")],
  ["behind a sign of its own", () => "# ✗ take main please"],
])("words typed %s, the mark being envoy's, are told alone and stay until the person takes them away", (_what, typed) => {
  const shown = [refused];
  let saved = confirmed(refused).replace(mark, typed).replace("decision: maybe", "decision: main");
  for (let again = 0; again < 3; again++) {
    const { text, marks } = handed(read(saved, ...shown));
    expect(marks).toHaveLength(1);
    expect(marks[0]!.message).toMatch(/^"take main please" stands in /);
    expect(marks[0]!.message).not.toContain("# ✗");
    expect(text.match(/^# ✗ .*take main please/gm)).toHaveLength(2);
    shown.push(text);
    saved = confirmed(text);
  }
  expect(read(saved.replace(/^# ✗ .*take main please.*\n/gm, ""), ...shown).kind).toBe("accepted");
});

test.each([
  ["its end", (own: string) => own.slice(0, 40)],
  ["its middle", (own: string) => own.replace("is not among the choices. ", "")],
])("a mark of which %s was cut goes as the others do", (_what, cut) => {
  const saved = confirmed(refused).replace(mark, cut);
  expect(said(read(saved, refused))).toHaveLength(1);
  expect(handed(read(saved, refused)).text).toBe(refused);
  expect(read(saved.replace("decision: maybe", "decision: main"), refused).kind).toBe("accepted");
});

test("words typed behind the mark of an empty text are offered as its text", () => {
  const thoughts = handed(read(written.replace("thoughts: |\n", "thoughts: |\nsee #12\n"))).text;
  const saved = confirmed(thoughts)
    .replace("  see #12\n", "")
    .replace(/# ✗ Your text was read.*/, "$& see PR #13");
  const offered = handed(read(saved, thoughts));
  expect(offered.kind).toBe("mended");
  expect(read(confirmed(offered.text), thoughts, offered.text)).toMatchObject({ kind: "accepted", values: { thoughts: "see PR #13" } });
});

test("whichever of envoy's lines somebody types into, the words are never passed over", () => {
  fc.assert(
    fc.property(filledForms, fc.nat(), fc.nat(), fc.constantFrom("zebra", " zebra", " zebra "), (filled, pick, place, word) => {
      const comments = filled.lines.filter(({ role }) => role === "comment");
      const own = comments[pick % comments.length]!;
      const at = own.raw.indexOf("#") + 1 + (place % (own.raw.trim().length + 1));
      const raw = own.raw.slice(0, at) + word + own.raw.slice(at);
      const saved = savedText(filled.lines.map((line) => (line === own ? { ...line, raw } : line)));
      let outcome = handed(readForm(filled.form, saved, { settled: true }));
      expect(outcome.text).toContain("zebra");
      const shown = [outcome.text];
      for (let again = 0; again < 3 && outcome.kind === "refused"; again++) {
        outcome = handed(readForm(filled.form, confirmed(outcome.text), { settled: true, handedBack: shown }));
        expect(outcome.text).toContain("zebra");
        shown.push(outcome.text);
      }
    }),
    { numRuns: 500, seed: 4 },
  );
});
