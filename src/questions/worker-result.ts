// What a worker prints when it ends, and what follows from it. Pure.
import { EnvoyError, type Issue } from "../../schemas/errors.ts";
import { type QuestionType, type Role, type StoredTaskStatus, reachOf } from "../../schemas/question-words.ts";
import { AskUserInput, WorkerRequest, WorkerResult } from "../../schemas/questions.ts";
import type { ExpectedAnswer, QuestionSubject } from "./question.ts";
import type { TaskFact } from "./tasks.ts";

export interface Worker {
  agent: string;
  session?: string | undefined;
  task: string;
  role?: Role | undefined;
  onTimeout: "block" | "fail" | "defer";
}
type Report = Extract<TaskFact, { type: "reported" }>;
export type Handling =
  | { kind: "ask"; subject: QuestionSubject; report?: Report }
  | { kind: "set"; status: StoredTaskStatus; report: Report }
  | { kind: "unknown"; action: string };

const SOURCE = "The worker's result";

/** Whatever is not clearly a result is an error, never a success. */
export function handleResult(text: string, worker: Worker): Handling {
  const value = parse(text);
  if (isRequest(value)) return handleRequest(value, worker);
  const result = check(WorkerResult, value);
  const { status, question, questionContext, summary, details, issues } = result;
  const report: Report = { type: "reported", status, ...present({ summary, details, issues }) };
  if (status !== "needs_input") return { kind: "set", status: STATUSES[status], report };
  const prompt = question?.trim() || summary?.trim();
  if (!prompt) throw invalid([{ path: "question", message: "needs_input asks nothing: `question` and `summary` are both empty" }]);
  const subject = ask(worker, { prompt, expected: { kind: "text" }, type: "BLOCKING" });
  return { kind: "ask", subject: { ...subject, ...present({ context: questionContext, details }) }, report };
}

const STATUSES = { completed: "closed", failed: "failed", blocked: "blocked" } as const;

const isRequest = (value: unknown): value is object => (value as { type?: unknown } | null)?.type === "REQUEST";

function handleRequest(value: object, worker: Worker): Handling {
  const { action } = check(WorkerRequest, value).request;
  if (action !== "ask_user_input") return { kind: "unknown", action };
  const { prompt, question_type, context, details, expected_answer, blocking } = check(
    AskUserInput,
    (value as { request: unknown }).request,
  );
  const expected = { kind: "text" as const, ...present(expected_answer ?? {}) } as ExpectedAnswer;
  const isChoice = expected.kind === "single_choice" || expected.kind === "multi_choice";
  if (isChoice !== (expected.choices !== undefined))
    throw invalid([{ path: "expected_answer.choices", message: "belongs to single_choice and multi_choice, and only to them" }]);
  const subject = ask(worker, { prompt, expected, type: blocking === false ? "CLARIFYING" : "BLOCKING" });
  return { kind: "ask", subject: { ...subject, ...present({ question_type, context, details }) } };
}

function ask(
  worker: Worker,
  { prompt, expected, type }: { prompt: string; expected: ExpectedAnswer; type: QuestionType },
): QuestionSubject {
  const { agent, session, task, role, onTimeout } = worker;
  return {
    prompt,
    type,
    halts: reachOf(type),
    agent_id: agent,
    task_id: task,
    expected_answer: expected,
    on_timeout: onTimeout,
    ...present({ session_id: session, role }),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw invalid([{ message: `it is not JSON (${(error as Error).message})` }]);
  }
}

interface Checker<T> {
  safeParse: (
    value: unknown,
  ) => { success: true; data: T } | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
}
function check<T>(schema: Checker<T>, value: unknown): T {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  throw invalid(checked.error.issues.map(({ path, message }) => ({ path: path.join("."), message })));
}

const invalid = (issues: Issue[]) => new EnvoyError("invalid_input", { source: SOURCE, issues });

const present = <T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as never;
