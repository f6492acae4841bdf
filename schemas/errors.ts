// The closed list of everything that can go wrong. A type never changes its meaning; the surfaces print it,
// docs/errors.md is generated from it.
import type { Definition, ExitCode, Issue } from "./error-definition.ts";
import { GATE_ERRORS } from "./gate-errors.ts";
import { PLAN_ERRORS } from "./plan-errors.ts";
import { QUALITY_ERRORS } from "./quality-errors.ts";
import { QUESTION_ERRORS } from "./question-errors.ts";
import { SYSTEM_ERRORS } from "./system-errors.ts";
import { USAGE_ERRORS } from "./usage-errors.ts";

export { EXIT, type ExitCode, type Issue } from "./error-definition.ts";

export const ERRORS = { ...USAGE_ERRORS, ...PLAN_ERRORS, ...GATE_ERRORS, ...QUESTION_ERRORS, ...QUALITY_ERRORS, ...SYSTEM_ERRORS };

export type ErrorType = keyof typeof ERRORS;
export type ErrorParameters<T extends ErrorType> = (typeof ERRORS)[T] extends Definition<infer P> ? P : never;

/** Thrown anywhere below, caught once in the surface. */
export class EnvoyError<T extends ErrorType = ErrorType> extends Error {
  readonly type: T;
  readonly parameters: ErrorParameters<T>;

  constructor(type: T, parameters: ErrorParameters<T>) {
    super(definitionOf(type).message(parameters));
    this.name = "EnvoyError";
    this.type = type;
    this.parameters = parameters;
  }

  get exitCode(): ExitCode {
    return definitionOf(this.type).exit;
  }
  get suggestion(): string {
    return definitionOf(this.type).suggestion(this.parameters);
  }
  get issues(): Issue[] {
    return (this.parameters as { issues?: Issue[] }).issues ?? [];
  }
}

function definitionOf<T extends ErrorType>(type: T): Definition<ErrorParameters<T>> {
  return ERRORS[type] as unknown as Definition<ErrorParameters<T>>;
}
