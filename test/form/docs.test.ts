import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type FormValues, describeForm, readForm, writeForm } from "../../src/form/index.ts";
import { confirmed } from "../support/forms.ts";

/** The form on the page docs/forms.md. */
const description = describeForm({
  key: "2A_testing",
  title: ["TESTING GATE of prompt 2A, feature/login. Asked by tester on 18 Nov 10:02, who waits 12 h."],
  fields: [
    { kind: "text", key: "thoughts", help: ["Optional message to the agent"] },
    { kind: "yesno", key: "test_passed", initial: null, notes: "Logging in with a passkey works", help: ["true or false"] },
    { kind: "text", key: "user_required_changes", help: ["If false: what must be fixed"] },
  ],
});
const written = writeForm(description, { gateId: "g_7k2m9xq4twe" });
const form = { description, written };
const page = readFileSync(new URL("../../docs/forms.md", import.meta.url), "utf8");
const [shown, saved, handedBack] = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text]) => text!);

test("the page on forms shows a form as envoy writes it", () => {
  expect(shown).toBe(written.replace(/ +$/gm, ""));
});

test("the page on forms shows what comes back for what was saved, and what it then means", () => {
  const outcome = readForm(form, saved!);
  expect(outcome).toMatchObject({ kind: "mended" });
  const { text } = outcome as { text: string };
  expect(handedBack).toBe(text.replace(/ +$/gm, ""));
  const values: FormValues = { thoughts: "", test_passed: false, user_required_changes: "see PR #12\nTypeError: x is not a function" };
  expect(readForm(form, confirmed(handedBack!), { handedBack: text })).toEqual({ kind: "accepted", values });
});
