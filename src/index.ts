// The public library.
export { EnvoyError, type ErrorType, type Issue } from "../schemas/errors.ts";
export { ExecutionGate, type ExecutionGateEvents, type HaltedEvent, type ResumedEvent } from "./questions/execution-gate.ts";
export { type NewQuestion, type Wanted, answerQuestion, createQuestion, listQuestions, withdrawQuestion } from "./questions/library.ts";
export type { Clearance } from "./questions/clearance.ts";
export type { HaltStatus } from "./questions/halts.ts";
export type { Place } from "./questions/open-house.ts";
export type { ExpectedAnswer, Question } from "./questions/question.ts";
