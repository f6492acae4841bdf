// Thousands of forms filled in properly and then spoilt: what is accepted or offered is what was meant, or nothing is.
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { type FormOutcome, type FormValues, readForm } from "../../src/form/index.ts";
import { EDITS, type Edited } from "../support/clumsy-edits.ts";
import { type Filled, filledForms, meantText, savedText } from "../support/filled-form.ts";
import { confirmed, flatValues, lostWords } from "../support/forms.ts";

const RUNS = Number(process.env["FORM_RUNS"] ?? 600);
const SEED = Number(process.env["FORM_SEED"] ?? 4);
const counts = new Map<string, number>();
const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);

const loosely = (text: unknown) => (typeof text === "string" ? text.replace(/[\s|"']+/g, " ").trim() : text);

/** The first field that does not say what the person meant. */
function wrong({ form, keys, decisions }: Filled, { lines, loose, stray }: Edited, values: FormValues): unknown {
  const flat = flatValues(values);
  let strays = 0;
  for (const [k, { field, path }] of keys.entries()) {
    if (field === "done" || field.kind === "group" || field.kind === "list" || field.kind === "fixed") continue;
    const own = flat[path.join(".")];
    if (field.kind !== "text") {
      if (own !== decisions.get(k)) return { path, own, meant: decisions.get(k) };
      continue;
    }
    const clean = stray === undefined ? own : withoutStray(String(own), stray);
    if (clean !== own) strays++;
    const meant = meantText(lines, k);
    if (loose || clean !== own ? loosely(clean) !== loosely(meant) : clean !== meant) return { path, own, meant };
  }
  return stray !== undefined && strays !== 1 ? { form, strays } : undefined;
}
const withoutStray = (text: string, stray: string) =>
  text
    .split("\n")
    .filter((line) => line.trim() !== stray)
    .join("\n");

function judge(filled: Filled, edited: Edited): void {
  const saved = savedText(edited.lines);
  const first = readForm(filled.form, saved);
  const outcome: FormOutcome = first.kind === "unsettled" ? readForm(filled.form, saved, { settled: true }) : first;
  count(outcome.kind);
  if (outcome.kind === "accepted") {
    expect(edited.refuse, `saved:\n${saved}`).toBeUndefined();
    expect(wrong(filled, edited, outcome.values), `saved:\n${saved}`).toBeUndefined();
    return;
  }
  if (outcome.kind !== "mended" && outcome.kind !== "refused") throw new Error(`nobody answered:\n${saved}`);
  expect(lostWords(filled.form, saved, outcome.text), `${saved}\n----\n${outcome.text}`).toEqual([]);
  expect(readForm(filled.form, saved, { settled: true, handedBack: outcome.text })).toEqual(outcome);
  if (outcome.kind === "refused") return;
  const again = readForm(filled.form, confirmed(outcome.text), { handedBack: outcome.text });
  if (again.kind === "accepted" && !edited.refuse)
    expect(wrong(filled, edited, again.values), `${saved}\n----\n${outcome.text}`).toBeUndefined();
  else expect(again.kind, `${saved}\n----\n${outcome.text}`).toBe("refused");
}

test("a form filled in as its comments ask is accepted, word for word", () => {
  fc.assert(
    fc.property(filledForms, (filled) => {
      const outcome = readForm(filled.form, savedText(filled.lines));
      count(outcome.kind);
      expect(outcome.kind, `saved:\n${savedText(filled.lines)}`).toBe("accepted");
      expect(wrong(filled, { lines: filled.lines }, (outcome as { values: FormValues }).values)).toBeUndefined();
    }),
    { numRuns: RUNS * 4, seed: SEED },
  );
});

test.each(Object.keys(EDITS))("no wrong answer is taken or offered, and no word is lost, after: %s", (name) => {
  fc.assert(
    fc.property(filledForms, fc.nat(), (filled, pick) => judge(filled, EDITS[name]!(filled, pick))),
    { numRuns: RUNS, seed: SEED },
  );
});

afterAll(() => {
  if (process.env["FORM_COUNTS"]) process.stdout.write(`${JSON.stringify(Object.fromEntries(counts))}\n`);
});
