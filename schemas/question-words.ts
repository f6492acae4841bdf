// The words of questions, tasks and halts. No zod here: `envoy check` runs before every tool call.

export const QUESTION_TYPES = [
  "BLOCKING",
  "ESCALATION",
  "APPROVAL",
  "EMERGENCY",
  "CLARIFYING",
  "CONFIRMING",
  "PREFERENCE",
  "ALERT",
  "DECISION",
] as const;
export type QuestionType = (typeof QUESTION_TYPES)[number];

/** Whom a question halts: its agent; also the agent's session; everyone. */
export const HALT_REACHES = ["agent", "session", "all"] as const;
export type HaltReach = (typeof HALT_REACHES)[number];

/** What a type halts; the types that are not named halt nobody. */
const REACH: Partial<Record<QuestionType, HaltReach>> = {
  BLOCKING: "agent",
  ESCALATION: "agent",
  APPROVAL: "session",
  EMERGENCY: "all",
};
export const isHalting = (type: QuestionType): boolean => type in REACH;

/** `wider` widens a halting type, and never narrows one. */
export function reachOf(type: QuestionType, wider?: "session" | "all"): HaltReach | null {
  const own = REACH[type];
  if (!own) return null;
  return HALT_REACHES[Math.max(HALT_REACHES.indexOf(own), wider ? HALT_REACHES.indexOf(wider) : 0)]!;
}

export const ASKED_FOR = ["clarification", "permission_override", "external_decision", "risk_ack"] as const;
export type AskedFor = (typeof ASKED_FOR)[number];
export const ROLES = ["planner", "builder", "qa", "orchestrator"] as const;
export type Role = (typeof ROLES)[number];
export const PLAIN_KINDS = ["text", "boolean", "number", "json"] as const;
export type AnswerKind = (typeof PLAIN_KINDS)[number] | "single_choice" | "multi_choice";
export const TIMEOUT_POLICIES = ["block", "fail", "defer", "default"] as const;
export type TimeoutPolicy = (typeof TIMEOUT_POLICIES)[number];
export const QUESTION_STATUSES = ["open", "answered", "expired", "withdrawn"] as const;
export type QuestionStatus = (typeof QUESTION_STATUSES)[number];

/** Whether an agent may bring its own answer for the case that nobody answers. It can't grant itself what it asks for. */
export const mayDefault = (type: QuestionType, askedFor: AskedFor | undefined): boolean =>
  type !== "APPROVAL" && type !== "EMERGENCY" && askedFor !== "permission_override" && askedFor !== "risk_ack";

/** `awaiting_input` is derived, never stored. */
export const TASK_STATUSES = [
  "open",
  "in_progress",
  "planning",
  "building",
  "qa",
  "blocked",
  "deferred",
  "ready_to_merge",
  "closed",
  "failed",
  "merged",
] as const;
export type StoredTaskStatus = (typeof TASK_STATUSES)[number];
export type TaskStatus = StoredTaskStatus | "awaiting_input";
export const hasEnded = (status: TaskStatus): boolean => status === "closed" || status === "failed" || status === "merged";

export const TASK_ID_RULE = "letters, digits, `.`, `_` and `-`, beginning with a letter or digit (at most 100)";
export const isTaskId = (id: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/.test(id) && id !== "ended";
