// JSON Schemas of what reviewers print and what envoy makes of it, for docs/reviewers.md and for people who write one.
import { toJSONSchema } from "zod";

const TITLES = {
  "reviewer-output": ["ReviewerOutput", "What a reviewer prints for `parallel_review` and `multi_pass`"],
  "reviewer-synthesis": ["SynthesisOutput", "What the `synthesis` command prints"],
  "reviewer-audit": ["AuditOutput", "What a reviewer prints for `envoy gemini audit` and `review`"],
  "reviewer-finding": ["Finding", "A finding as envoy hands it on"],
  "reviewer-feedback": ["Feedback", "What envoy tells an agent about a gate that failed"],
};

/** File name to text. */
export function reviewerSchemas(schemas) {
  return Object.fromEntries(
    Object.entries(TITLES).map(([name, [key, title]]) => {
      const { $schema, ...rest } = toJSONSchema(schemas[key], { io: "input" });
      return [`schemas/json/${name}.json`, `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`];
    }),
  );
}
