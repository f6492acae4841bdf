// Reading a form twice, with 100 entries, against parsing the same text once.
import { parse } from "yaml";
import { readForm, writeForm } from "../dist/lib/src/form/index.js";

const entry = (i) => ({
  kind: "group",
  key: `backend_${i}`,
  notes: `Approach ${i}\nwith some details`,
  fields: [
    { kind: "text", key: "user_required_changes", help: ["What must change; empty if nothing"] },
    { kind: "yesno", key: "rejected", initial: false },
    {
      kind: "list",
      key: "question_answers",
      items: [
        {
          fields: [
            { kind: "fixed", key: "question", text: "SSR or CSR?" },
            { kind: "text", key: "answer" },
          ],
        },
      ],
    },
  ],
});
const description = {
  key: "findings_gate",
  title: ["FINDINGS GATE"],
  fields: [
    { kind: "text", key: "thoughts" },
    { kind: "group", key: "approach_feedback", fields: Array.from({ length: 100 }, (_, i) => entry(i + 1)) },
  ],
};
const written = writeForm(description, { gateId: "g_7k2m9xq4twe" });
const answered = written
  .replace(/^done: false/m, "done: true")
  .replace(/^( *)(user_required_changes|answer): \|\n.*$/gm, "$1$2: |\n$1  Please rename this, see PR #12\n$1  and say why: it matters");
if (readForm({ description, written }, answered).kind !== "accepted") throw new Error("the form to measure is not accepted");

/** Many times per sample: between two started processes a single reading mostly measures the compiler. */
const often = (work) => () => {
  for (let i = 0; i < 20; i++) work();
};

export const formRow = {
  name: "reading a form twice, 100 entries",
  limit: 3,
  floor: { name: "`yaml` parse of it", work: often(() => parse(answered)) },
  work: often(() => readForm({ description, written }, answered)),
};
