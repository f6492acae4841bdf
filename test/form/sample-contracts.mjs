// A form as a gate will register it, until there are gates.
import { array, boolean, number, object, optional, record, string, enum as oneOf } from "zod";

const approach = object({
  user_required_changes: string().describe("What must change; empty if nothing"),
  rejected: optional(boolean()),
  decision: optional(oneOf(["main", "kept (unmerged)"])),
  stars: optional(number().int().min(1)),
  question_answers: optional(array(object({ question: string(), answer: string().min(1) }))),
});

const entry = (key, fields) => ({ kind: "group", key, notes: `About ${key}`, fields });
const changes = { kind: "text", key: "user_required_changes", help: ["What must change; empty if nothing"] };

export const FORMS = [
  {
    key: "sample_gate",
    answers: object({ thoughts: string(), approach_feedback: record(string(), approach) }),
    example: {
      key: "sample_gate",
      title: ["SAMPLE GATE of feature/login."],
      fields: [
        { kind: "text", key: "thoughts", help: ["Optional message to the agent"] },
        {
          kind: "group",
          key: "approach_feedback",
          computed: true,
          fields: [
            entry("1", [changes]),
            entry("frontend_1_A", [
              changes,
              { kind: "yesno", key: "rejected", initial: false },
              { kind: "choice", key: "decision", choices: ["main", "kept (unmerged)"], initial: null },
              { kind: "number", key: "stars", initial: null, optional: true },
              {
                kind: "list",
                key: "question_answers",
                items: [
                  {
                    fields: [
                      { kind: "fixed", key: "question", text: "SSR or CSR?" },
                      { kind: "text", key: "answer", required: true },
                    ],
                  },
                ],
              },
            ]),
          ],
        },
      ],
    },
  },
];
