// The history of a task's gates: facts, appended and never changed. Everything else about rounds is derived from them.
import {
  array,
  boolean,
  discriminatedUnion,
  int,
  literal,
  number,
  optional,
  strictObject,
  string,
  enum as oneOf,
  type infer as Infer,
} from "zod";
import { Feedback, GateResult } from "./quality.ts";

const said = { at: string(), by: string() };

export const ROUND_OUTCOMES = ["passed", "failed_with_retry", "failed_max_iterations"] as const;
export const STUCK_DECISIONS = ["retry", "accept", "abandon"] as const;

/** The agent says how far it is. */
const Checkpoint = strictObject({
  type: literal("checkpoint"),
  ...said,
  work_summary: optional(string()),
  confidence: optional(number()),
  files_modified: optional(array(string())),
  context_exhausted: optional(boolean()),
});

/** Written before the first command of a round starts. */
const RoundStarted = strictObject({
  type: literal("round_started"),
  ...said,
  iteration: int().positive(),
  /** What the results hold for: the tree and the configured gates. */
  basis: string(),
  gates: array(string()),
  /** Of those, the ones whose `when` says no. */
  not_applicable: array(string()),
});

/** Another run goes on with an interrupted round. */
const RoundResumed = strictObject({ type: literal("round_resumed"), ...said });

const GateFinished = strictObject({
  type: literal("gate_finished"),
  ...said,
  result: GateResult,
  /** The tree after the gate, which may have written files of its own. */
  basis_after: optional(string()),
  /** What a person was shown; about anything else the answer says nothing. */
  asked_about: optional(string()),
});

const RoundEnded = strictObject({
  type: literal("round_ended"),
  ...said,
  outcome: oneOf(ROUND_OUTCOMES),
  feedback: array(Feedback),
  next_agent: optional(oneOf(["same", "fresh"])),
});

/** A person's answer to the form of a stuck task. */
const StuckDecided = strictObject({
  type: literal("stuck_decided"),
  ...said,
  decision: oneOf(STUCK_DECISIONS),
  comment: optional(string()),
});

/** What follows from the end of the last round has been done: the task's status, events, the form of a stuck task. */
const Announced = strictObject({ type: literal("announced"), ...said });

/** The stop hook kept the agent from stopping because the gates could not be run. */
const HookRefused = strictObject({ type: literal("hook_refused"), ...said, reason: string() });

export const RoundFact = discriminatedUnion("type", [
  Checkpoint,
  RoundStarted,
  RoundResumed,
  GateFinished,
  RoundEnded,
  StuckDecided,
  Announced,
  HookRefused,
]);
export type RoundFact = Infer<typeof RoundFact>;
