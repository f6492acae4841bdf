// What a gate is: a declaration. It says what it reads, asks, checks and decides; the engine does everything else.
import type { ZodType } from "zod";
import type { Field, RuleBreach } from "../form/index.ts";
import type { Change, Outcome } from "../stores/changes.ts";
import type { Plan } from "../stores/plans.ts";
import type { Project } from "../stores/project.ts";
import type { Environment } from "../system/environment.ts";
import type { Answered, Expired, GateFact, GateResult, GateState } from "./history.ts";
import type { House } from "./house.ts";

export interface GateContract<A> {
  /** Names the kind in records and its JSON Schema. */
  kind: string;
  answers: ZodType<A>;
}

export interface GateSources {
  project: Project;
  plan: Plan;
  environment: Environment;
  /** What was last decided under the gate's key. */
  last?: GateResult;
  /** What an open form asks about already: it is brought up to date, whatever has become of the rest. */
  shown?: unknown;
}

/** What loading leads to. */
export type Loading<S> =
  /** These subjects are asked about. */
  | { subject: S }
  /** There is nothing to ask, and why; `next` for an agent that expected a question. */
  | { skipped: string; next?: string }
  /** Some subjects are not ready; `waitFor` names them. */
  | { waitFor: string[] }
  /** It was decided already: the recorded result is the answer. */
  | { decided: true };

export interface Decision {
  changes: Change[];
  /** The gate's own fields of the result. */
  result: Record<string, unknown>;
  /** True only when the answer lets the work go on unchanged; left out where the answer is no approval of anything. */
  proceed?: boolean;
  summary: string;
  next: string;
}

/** What came with the answers. */
export interface Given {
  logs: string;
  /** Saved after the deadline. */
  late: boolean;
}

export interface GateDeclaration<P, S, A> {
  /** What the command does, in one line. */
  summary: string;
  /** The form's heading, such as `PLAN GATE`. */
  title: string;
  key: (args: P) => string;
  load: (sources: GateSources, args: P) => Promise<Loading<S>>;
  template: (subject: S) => readonly Field[];
  check?: (answers: A, subject: S, given: Given) => readonly RuleBreach[] | Promise<readonly RuleBreach[]>;
  decide: (answers: A, subject: S, given: Given) => Decision;
  /** A file for pasted logs lies beside the form. */
  logs?: boolean;
  /** What can be told only after the changes were made. */
  report?: (
    result: GateResult,
    outcomes: readonly Outcome[],
    at: { house: House; gate: GateState },
  ) => Record<string, unknown> | Promise<Record<string, unknown>>;
  /** What the passing of the deadline means; `saved` is the form as it lies there. Without this the gate just stays open. */
  expire?: (gate: GateState, saved: string) => Expired | Answered;
  /** Called after a fact that others may want to hear of: opened, expired, or the end. May be called again after a crash. */
  tell?: (house: House, gate: GateState, fact: GateFact["type"]) => Promise<void>;
  /** The part of the result that this caller asked for. */
  view?: (result: GateResult, args: P) => Record<string, unknown>;
}

export type Gate<P = unknown, S = unknown, A = unknown> = GateContract<A> & GateDeclaration<P, S, A>;

export const defineGate =
  <A>(contract: GateContract<A>) =>
  <P, S>(declaration: GateDeclaration<P, S, A>): Gate<P, S, A> => ({ ...contract, ...declaration });
