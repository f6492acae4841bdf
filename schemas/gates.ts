// The answers each form gives back once it was read. JSON Schemas for editors are generated from these. A decision is
// null only about a subject that no longer exists: there nothing has to be decided any more.
import { array, boolean, nullable, object, optional, record, string, enum as oneOf } from "zod";
import { STUCK_DECISIONS } from "./rounds.ts";

const thoughts = string().describe("Optional message to the agent");
const changes = string().describe("What must change; empty if nothing");
const answered = object({ question: string(), answer: string().describe("Your answer") });

export const PlanGate = {
  kind: "plan_gate",
  answers: object({
    thoughts,
    user_required_plan_changes: string().describe("What must change in the plan; empty if nothing"),
    prompt_feedback: record(string(), object({ user_required_changes: changes })),
  }),
};

export const FindingsGate = {
  kind: "findings_gate",
  answers: object({
    thoughts,
    approach_feedback: record(
      string(),
      object({
        user_required_changes: changes,
        rejected: optional(nullable(boolean().describe("true to reject this variant"))),
        question_answers: optional(array(answered)),
      }),
    ),
  }),
};

export const TestingGate = {
  kind: "prompt_testing",
  answers: object({
    thoughts,
    test_passed: boolean().describe("true if it works, false if not"),
    user_required_changes: string().describe("If it failed: what must be fixed"),
  }),
};

export const VARIANT_DECISIONS = ["main", "accepted", "rejected"] as const;
export const VariantsGate = {
  kind: "prompt_variants",
  answers: object({
    thoughts,
    variants: record(string(), object({ decision: nullable(oneOf(VARIANT_DECISIONS)), reason: string().describe("Why; optional") })),
  }),
};

export const LoggingGate = { kind: "debugging_logging", answers: object({ thoughts }) };

export const AuditQuestions = { kind: "audit_questions", answers: object({ thoughts, questions: array(answered) }) };
export const ReviewQuestions = {
  kind: "review_questions",
  answers: object({ thoughts, questions: array(answered), suggested_changes: string().describe("What should change; empty if nothing") }),
};

export const APPROVALS = ["approve", "reject"] as const;
export const HumanApproval = {
  kind: "human_approval",
  answers: object({ decision: oneOf(APPROVALS), comment: string().describe("Why; needed to reject, and what the agent then has to do") }),
};
export const StuckGate = {
  kind: "stuck",
  answers: object({ decision: oneOf(STUCK_DECISIONS), comment: string().describe("Optional message to whoever goes on") }),
};
