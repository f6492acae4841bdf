// Forms as hurried people leave them, recorded from real editors (scripts/record-typed-forms.mjs).
import { describe, expect, test } from "vitest";
import { type FormOutcome, type FormValues, readForm } from "../../src/form/index.ts";
import { confirmed, flatValues, lostWords, typedFile, typedForm } from "../support/forms.ts";

interface Case {
  name: string;
  editor?: string;
  keys: string;
  outcome: "accepted" | "mended" | "refused" | "waiting";
  /** It could be half-saved, so the outcome comes only once the file has settled. */
  settled?: true;
  /** Fields that differ from an untouched form, once accepted or once the mended form is confirmed. */
  values?: Record<string, unknown>;
  /** The first mark of a refusal. */
  says?: string;
}
const { cases } = JSON.parse(typedFile("cases.json")) as { cases: Case[] };

const untouched = flatValues((readForm(typedForm, confirmed(typedForm.written)) as { values: FormValues }).values);
const withUntouched = (own: Case) => ({ kind: "accepted", values: { ...untouched, ...own.values } });
const flat = (outcome: FormOutcome) => (outcome.kind === "accepted" ? { ...outcome, values: flatValues(outcome.values) } : outcome);

const judge = (own: Case, saved: string, handedBack?: string): FormOutcome => {
  const options = handedBack === undefined ? {} : { handedBack };
  if (own.settled) expect(readForm(typedForm, saved, options).kind).toBe("unsettled");
  return readForm(typedForm, saved, { ...options, settled: own.settled ?? false });
};

const of = (outcome: Case["outcome"]) => cases.filter((own) => own.outcome === outcome).map((own) => [own.name, own] as const);

test.each(of("accepted"))("takes what was typed: %s", (_name, own) => {
  expect(flat(judge(own, typedFile(`${own.name}.yaml`)))).toEqual(withUntouched(own));
});

describe.each(of("mended"))("sets the text properly and asks once more: %s", (_name, own) => {
  const saved = typedFile(`${own.name}.yaml`);
  const outcome = judge(own, saved) as { kind: string; text: string; marks: unknown[] };

  test("loses no word and is not finished", () => {
    expect(outcome.kind).toBe("mended");
    expect(lostWords(typedForm, saved, outcome.text)).toEqual([]);
    expect(readForm(typedForm, outcome.text, { handedBack: outcome.text })).toEqual({ kind: "waiting" });
  });
  test("means exactly what it shows, once confirmed", () => {
    expect(flat(readForm(typedForm, confirmed(outcome.text), { handedBack: outcome.text }))).toEqual(withUntouched(own));
  });
  test("is handed back again when the old bytes are written over it", () => {
    expect(judge(own, saved, outcome.text)).toEqual(outcome);
  });
});

test.each(of("refused"))("says what is wrong and keeps every word: %s", (_name, own) => {
  const saved = typedFile(`${own.name}.yaml`);
  const outcome = judge(own, saved) as { kind: string; text: string; marks: { message: string }[] };
  expect([outcome.kind, outcome.marks[0]?.message]).toEqual(["refused", own.says]);
  expect(lostWords(typedForm, saved, outcome.text)).toEqual([]);
  expect(outcome.text).toMatch(/^"?done"?: false|^ *doen: true/m);
  expect(readForm(typedForm, saved, { settled: true, handedBack: outcome.text })).toEqual(outcome);
});

test.each(of("waiting"))("leaves an unfinished form alone: %s", (_name, own) => {
  expect(judge(own, typedFile(`${own.name}.yaml`))).toEqual({ kind: "waiting" });
});

test("the cases come from real editors, and enough of them", () => {
  const by = (editor: string) => cases.filter((own) => (own.editor ?? "vim") === editor).length;
  expect({ vim: by("vim") >= 80, nano: by("nano") >= 5, names: new Set(cases.map(({ name }) => name)).size }).toEqual({
    vim: true,
    nano: true,
    names: cases.length,
  });
});
