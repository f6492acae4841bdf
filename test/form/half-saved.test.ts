import fc from "fast-check";
import { expect, test } from "vitest";
import { readForm } from "../../src/form/index.ts";
import { filledForms, savedText } from "../support/filled-form.ts";
import { confirmed } from "../support/forms.ts";

/** Every prefix that lacks more than the last newline. */
const prefixes = (whole: string) => Array.from({ length: whole.length - 1 }, (_, end) => whole.slice(0, end));

test("no truncated prefix of an answered form is taken for an answer or written into", () => {
  let count = 0;
  fc.assert(
    fc.property(filledForms, ({ form, lines }) => {
      const kinds = prefixes(savedText(lines)).map((cut) => readForm(form, cut).kind);
      count += kinds.length;
      expect(kinds.filter((kind) => kind !== "unsettled" && kind !== "waiting")).toEqual([]);
    }),
    { numRuns: 60, seed: 4 },
  );
  expect(count).toBeGreaterThan(40_000);
});

test("one that stays cut off is handed back, unless it ends before the word behind done", () => {
  fc.assert(
    fc.property(filledForms, ({ form, lines }) => {
      const kinds = prefixes(savedText(lines)).map((cut) => [readForm(form, cut, { settled: true }).kind, cut.slice(-7)]);
      expect(
        kinds.filter(([kind, end]) => kind === "accepted" || kind === "unsettled" || (kind === "waiting" && !/\ndone: ?$/.test(end!))),
      ).toEqual([]);
    }),
    { numRuns: 12, seed: 4 },
  );
});

test("only the newline at the very end may be missing", () => {
  fc.assert(
    fc.property(filledForms, ({ form, lines }) => {
      expect(readForm(form, savedText(lines).slice(0, -1)).kind).toBe("accepted");
    }),
    { numRuns: 100, seed: 4 },
  );
});

test("without its end line a form waits to settle, then asks to be confirmed, then counts as shown", () => {
  fc.assert(
    fc.property(filledForms, ({ form, lines }) => {
      const saved = savedText(lines.slice(0, -1));
      expect(readForm(form, saved).kind).toBe("unsettled");
      const outcome = readForm(form, saved, { settled: true });
      expect(outcome.kind).toBe("mended");
      const { text } = outcome as { text: string };
      expect(readForm(form, confirmed(text), { handedBack: text })).toEqual(readForm(form, savedText(lines)));
    }),
    { numRuns: 200, seed: 4 },
  );
});
