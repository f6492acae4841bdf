// Tasks: what was set and reported by hand, and the status that follows from it together with the questions.
import { type StoredTaskStatus, TASK_STATUSES, type TaskStatus, hasEnded } from "../../schemas/question-words.ts";
import type { Recorded } from "../stores/records.ts";
import { type Question, byAge } from "./question.ts";

export interface TaskSettings {
  title?: string;
  status?: StoredTaskStatus;
  parent?: string;
  priority?: string;
  size?: string;
  dir?: string;
}
export type TaskFact =
  | ({ type: "set" } & TaskSettings)
  /** Recorded before the question is opened; a question that never was is none. */
  | { type: "asked"; question_id: string; agent_id: string; session_id?: string }
  /** A question that was to fail it ran out. */
  | { type: "failed"; question_id: string; failed_at: string }
  | { type: "reported"; status: string; summary?: string; details?: unknown; issues?: unknown }
  | { type: "taken"; question_ids: string[] };

export interface Task extends Omit<TaskSettings, "status"> {
  task_id: string;
  length: number;
  created_at: string;
  /** The status as stored, and since when. */
  stored: StoredTaskStatus;
  storedAt: string;
  /** Why the stored status is not what was once written. */
  unreadable?: string;
  asked: string[];
  taken: Set<string>;
  agent_id?: string;
  session_id?: string;
  report?: { status: string; summary?: string; details?: unknown; issues?: unknown };
}

export function foldTask(id: string, facts: readonly Recorded<TaskFact>[]): Task | undefined {
  const [first] = facts;
  if (!first) return undefined;
  const task: Task = {
    task_id: id,
    length: facts.length,
    created_at: first.at,
    stored: "open",
    storedAt: first.at,
    asked: [],
    taken: new Set(),
  };
  for (const fact of facts) apply(task, fact);
  return task;
}

function apply(task: Task, fact: Recorded<TaskFact>): void {
  switch (fact.type) {
    case "set": {
      const { title, status, parent, priority, size, dir } = fact;
      Object.assign(task, given({ title, parent, priority, size, dir }));
      if (status !== undefined) store(task, status, fact.at);
      return;
    }
    case "asked":
      task.asked.push(fact.question_id);
      task.agent_id = fact.agent_id;
      if (fact.session_id === undefined) delete task.session_id;
      else task.session_id = fact.session_id;
      return;
    case "failed":
      return store(task, "failed", fact.failed_at);
    case "reported": {
      const { status, summary, details, issues } = fact;
      task.report = { status, ...given({ summary, details, issues }) };
      return;
    }
    case "taken":
      for (const id of fact.question_ids) task.taken.add(id);
  }
}

const given = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

function store(task: Task, status: StoredTaskStatus, at: string): void {
  const known = (TASK_STATUSES as readonly string[]).includes(status);
  task.stored = known ? status : "planning";
  task.storedAt = at;
  if (known) delete task.unreadable;
  else task.unreadable = `the stored status ${JSON.stringify(status)} is none that envoy knows`;
}

export interface HumanInput {
  open_question_id: string;
  open_question_count: number;
  awaiting_since: string;
  requested_by_role?: string;
  resume_status: StoredTaskStatus;
}
export interface DerivedTask {
  status: TaskStatus;
  resume_status?: StoredTaskStatus;
  human_input?: HumanInput;
  activity_state?: "waiting_input";
}

/** `questions` are those of this task that have not ended; others change nothing. */
export function deriveTask(task: Task, questions: readonly Question[]): DerivedTask {
  const blocking = questions.filter(({ task_id, blocking }) => blocking && task_id === task.task_id).toSorted(byAge);
  const open = blocking.filter(({ status }) => status === "open");
  const [oldest] = open;
  if (hasEnded(task.stored)) return { status: task.stored };
  if (oldest) {
    const human_input: HumanInput = {
      open_question_id: oldest.question_id,
      open_question_count: open.length,
      awaiting_since: oldest.created_at,
      ...(oldest.role ? { requested_by_role: oldest.role } : {}),
      resume_status: task.stored,
    };
    return { status: "awaiting_input", resume_status: task.stored, human_input, activity_state: "waiting_input" };
  }
  const status = expiredStatus(task, blocking);
  return status ? { status, ...(status === "failed" ? {} : { resume_status: task.stored }) } : { status: task.stored };
}

const AFTER_EXPIRY = [
  ["fail", "failed"],
  ["block", "blocked"],
  ["defer", "deferred"],
] as const;

/** An expiry counts as if the status were set at that moment; whoever sets it later has the last word. */
function expiredStatus({ storedAt }: Task, blocking: readonly Question[]): StoredTaskStatus | undefined {
  const expired = blocking.filter(({ status, expires_at }) => status === "expired" && Date.parse(expires_at!) >= Date.parse(storedAt));
  return AFTER_EXPIRY.find(([policy]) => expired.some(({ on_timeout }) => on_timeout === policy))?.[1];
}
