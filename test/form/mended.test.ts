import fc from "fast-check";
import { expect, test } from "vitest";
import { type FormOutcome, type WrittenForm, readForm } from "../../src/form/index.ts";
import { filledForms, asSetAnew, savedText } from "../support/filled-form.ts";

/** A form whose last line is gone is set anew, whatever its texts. */
const setAnew = (form: WrittenForm, saved: string): string => {
  const outcome: FormOutcome = readForm(form, saved.replace(/# end of form .*\n$/, ""), { settled: true });
  expect(outcome.kind).toMatch(/mended/);
  return (outcome as { text: string }).text.replace(/^ *# ✗ .*\n/gm, "");
};

test("a form set anew keeps every line and blank line of the one that envoy wrote, but for marks, done and texts", () => {
  fc.assert(
    fc.property(filledForms, ({ form, lines }) => {
      expect(setAnew(form, form.written.replace("done: false", "done: yes"))).toBe(form.written);
      expect(setAnew(form, savedText(lines))).toBe(savedText(asSetAnew(lines)));
    }),
    { numRuns: 500, seed: 4 },
  );
});
