// Questions for programs: the same records and rules as the commands.
import { EnvoyError } from "../../schemas/errors.ts";
import {
  type AskedFor,
  type QuestionStatus,
  type QuestionType,
  type Role,
  type TimeoutPolicy,
  mayDefault,
  reachOf,
} from "../../schemas/question-words.ts";
import { readConfig } from "../stores/config.ts";
import { ensureProject } from "../stores/project.ts";
import { answerQuestion as answer, withdrawQuestion as withdraw } from "./answer.ts";
import { readValue } from "./answers.ts";
import { askQuestion } from "./ask.ts";
import { type Place, openHouse } from "./open-house.ts";
import type { ExpectedAnswer, Question, QuestionSubject } from "./question.ts";
import { settleQuestions } from "./settle.ts";
import { allQuestions, liveQuestions, requireQuestion } from "./state.ts";

export interface NewQuestion {
  prompt: string;
  agentId: string;
  sessionId?: string;
  taskId?: string;
  type?: QuestionType;
  halts?: "session" | "all";
  questionType?: AskedFor;
  role?: Role;
  context?: string;
  details?: unknown;
  confidence?: number;
  expectedAnswer?: ExpectedAnswer;
  default?: unknown;
  /** Null: never; undefined: as configured. */
  timeoutMs?: number | null;
  onTimeout?: TimeoutPolicy;
}

/** Asking the same again while it is open gives the same question. */
export async function createQuestion(asked: NewQuestion, place?: Place): Promise<Question> {
  const house = await openHouse(place);
  const { human_input: settings } = (await readConfig(house.project.directory)).config;
  if (!settings.enabled) throw new EnvoyError("unsupported_operation", { operation: "Asking a person" });
  const subject = await subjectOf(asked, settings.on_timeout);
  await ensureProject(house.project);
  const { gate } = await askQuestion(house, {
    subject,
    timeoutMs: asked.timeoutMs === undefined ? (settings.timeoutMs ?? null) : asked.timeoutMs,
    timeoutGiven: asked.timeoutMs !== undefined,
    maxOpenPerTask: settings.max_open_questions_per_task,
  });
  return requireQuestion(house, gate.id);
}

async function subjectOf(asked: NewQuestion, configured: TimeoutPolicy): Promise<QuestionSubject> {
  const { prompt, agentId, sessionId, taskId, type = "BLOCKING", halts, questionType, role, context, details, confidence } = asked;
  const { expectedAnswer: expected = { kind: "text" as const }, onTimeout = configured } = asked;
  const wrong = (name: string, given: unknown, rule: string) => new EnvoyError("invalid_argument", { name, given: String(given), rule });
  if (!prompt.trim()) throw wrong("prompt", prompt, "a text that is not empty");
  if (onTimeout === "default" && (asked.default === undefined || !mayDefault(type, questionType)))
    throw wrong("onTimeout", onTimeout, "another policy, since no default can grant this");
  const given = asked.default === undefined ? undefined : await readValue(expected, asked.default);
  if (given && !given.ok) throw wrong("default", asked.default, `a valid answer (${given.problems.join(" ")})`);
  const optional = { session_id: sessionId, task_id: taskId, question_type: questionType, role, context, details, confidence };
  return {
    prompt,
    type,
    halts: reachOf(type, halts),
    agent_id: agentId,
    expected_answer: expected,
    on_timeout: onTimeout,
    ...(given?.ok ? { default: given.value } : {}),
    ...(Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) as Partial<QuestionSubject>),
  };
}

export interface Wanted {
  status?: QuestionStatus | "all";
  agentId?: string;
  sessionId?: string;
  taskId?: string;
}

/** Open ones by default; by `created_at`, then id. */
export async function listQuestions({ status = "open", agentId, sessionId, taskId }: Wanted = {}, place?: Place): Promise<Question[]> {
  const house = await openHouse(place);
  await settleQuestions(house);
  const found = status === "open" || status === "expired" ? await liveQuestions(house) : await allQuestions(house);
  return found.filter(
    (each) =>
      (status === "all" || each.status === status) &&
      (agentId === undefined || each.agent_id === agentId) &&
      (sessionId === undefined || each.session_id === sessionId) &&
      (taskId === undefined || each.task_id === taskId),
  );
}

export async function answerQuestion(
  id: string,
  value: unknown,
  { answeredBy = "human", ...place }: Place & { answeredBy?: string } = {},
): Promise<Question> {
  const house = await openHouse(place);
  const { expected_answer } = await requireQuestion(house, id);
  const read = await readValue(expected_answer, value);
  if (!read.ok)
    throw new EnvoyError("question_invalid_answer", {
      question_id: id,
      issues: read.problems.map((message) => ({ path: "answer", message })),
    });
  await answer(house, id, { answer: expected_answer.kind === "json" ? JSON.stringify(read.value) : read.value, answeredBy });
  return requireQuestion(house, id);
}

export async function withdrawQuestion(id: string, { reason, ...place }: Place & { reason?: string } = {}): Promise<Question> {
  const house = await openHouse(place);
  await withdraw(house, id, reason);
  return requireQuestion(house, id);
}
