// The public library: declare gates, open and judge them, and tell errors apart.
export { EnvoyError, type ErrorType, type Issue } from "../schemas/errors.ts";
export { ExecutionGate, type ExecutionGateEvents, type HaltedEvent, type ResumedEvent } from "./questions/execution-gate.ts";
export { type NewQuestion, type Wanted, answerQuestion, createQuestion, listQuestions, withdrawQuestion } from "./questions/library.ts";
export type { Clearance } from "./questions/clearance.ts";
export type { HaltStatus } from "./questions/halts.ts";
export type { Place } from "./questions/open-house.ts";
export type { ExpectedAnswer, Question } from "./questions/question.ts";
export { type Field, type FormDescription, type RuleBreach } from "./form/index.ts";
export { type Decision, type Gate, type GateDeclaration, type GateSources, type Loading, defineGate } from "./gate/gate.ts";
export { type GateResult, type GateState } from "./gate/history.ts";
export { type House } from "./gate/house.ts";
export { type Look, look as step } from "./gate/look.ts";
export { type Opening, openGate as open } from "./gate/open.ts";
export { type WaitOptions, type Waited, waitForGate as wait } from "./gate/wait.ts";
export { fileRecords } from "./stores/records.ts";
export { findProject } from "./stores/project.ts";
