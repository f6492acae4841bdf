// Asking: one question however often the same is asked, and never more blocking ones on a task than the team allows.
import { createHash } from "node:crypto";
import { EnvoyError } from "../../schemas/errors.ts";
import type { GateState } from "../gate/history.ts";
import { type House, lockGate, record, requireGate } from "../gate/house.ts";
import { look } from "../gate/look.ts";
import { currentGate, newGateId, openGate } from "../gate/open.ts";
import { dayAndTime, now } from "../system/clock.ts";
import { formatDuration } from "../system/durations.ts";
import { gate as questionGate } from "./question-gate.ts";
import type { QuestionSubject } from "./question.ts";
import { addToTask, questionsOf, requireTask } from "./task-records.ts";

export interface Asking {
  subject: QuestionSubject;
  /** Null: never. */
  timeoutMs: number | null;
  /** Asked for in so many words, so that it counts for a question that is open already. */
  timeoutGiven: boolean;
  maxOpenPerTask: number;
  /** The id that a new question gets. */
  id?: string;
}
export interface Asked {
  gate: GateState;
  how: "opened" | "attached" | "answered before";
}

/** Questions with these in common are the same while they are open, or their answer has reached nobody. */
const claimOf = ({ prompt, agent_id, session_id, task_id }: QuestionSubject): string =>
  `ask.${createHash("sha256")
    .update(JSON.stringify([prompt, agent_id, session_id ?? null, task_id ?? null]))
    .digest("hex")
    .slice(0, 32)}`;

export async function askQuestion(house: House, asking: Asking): Promise<Asked> {
  const before = await currentGate(house, claimOf(asking.subject), undefined);
  const earlier = before && (await attachTo(house, before.id, asking));
  if (earlier) return earlier;
  const { task_id } = asking.subject;
  return task_id === undefined ? open(house, asking) : lockGate(house, `task-${task_id}`, () => openOnTask(house, task_id, asking));
}

/** Undefined where that question is over. */
export async function attachTo(house: House, id: string, asking: Asking): Promise<Asked | undefined> {
  const { gate } = await look(house, id);
  if (gate.end?.type === "answered") return gate.delivered ? undefined : { gate, how: "answered before" };
  if (isOver(gate)) return undefined;
  return { gate: await extend(house, id, asking), how: "attached" };
}

const isOver = ({ end, expired, subject }: GateState): boolean =>
  end !== undefined || (expired !== undefined && (subject as QuestionSubject).on_timeout === "fail");

/** The recorded time stays, unless another is asked for or it has passed. */
async function extend(house: House, id: string, { timeoutMs, timeoutGiven }: Asking): Promise<GateState> {
  return lockGate(house, id, async () => {
    const gate = await requireGate(house, id);
    const isPast = gate.deadline !== null && gate.deadline <= now();
    if (gate.end || !(timeoutGiven || isPast)) return gate;
    return record(house, gate, { type: "extended", deadline: deadlineAfter(timeoutMs)?.toISOString() ?? null });
  });
}

const deadlineAfter = (ms: number | null): Date | null => (ms === null ? null : new Date(now().getTime() + ms));

async function openOnTask(house: House, taskId: string, asking: Asking): Promise<Asked> {
  const { subject, maxOpenPerTask, id = newGateId("q_") } = asking;
  await addToTask(house, taskId, (task) => (task ? undefined : { type: "set", status: "open" }));
  const task = await requireTask(house, taskId);
  const waiting = (await questionsOf(house, task)).filter(({ blocking, status }) => blocking && status === "open");
  const current = await currentGate(house, claimOf(subject), undefined);
  if (subject.halts !== null && waiting.length >= maxOpenPerTask && !waiting.some(({ question_id }) => question_id === current?.id))
    throw new EnvoyError("question_conflict_open", {
      task_id: taskId,
      open: waiting.map(({ question_id }) => question_id),
      limit: maxOpenPerTask,
    });
  const { agent_id, session_id } = subject;
  await addToTask(house, taskId, () => ({
    type: "asked",
    question_id: id,
    agent_id,
    ...(session_id === undefined ? {} : { session_id }),
  }));
  return open(house, { ...asking, id });
}

async function open(house: House, { subject, timeoutMs, id = newGateId("q_") }: Asking): Promise<Asked> {
  const gate = await openGate(house, {
    id,
    kind: questionGate.kind,
    claim: claimOf(subject),
    args: null,
    subject,
    form: {
      key: id,
      title: titleOf(subject, timeoutMs),
      schemaPath: `../schemas/${questionGate.kind}.json`,
      fields: questionGate.template(subject),
    },
    deadline: deadlineAfter(timeoutMs),
    expires: true,
    isOver,
    askedBy: subject.agent_id,
  });
  return { gate, how: gate.id === id ? "opened" : "attached" };
}

function titleOf({ type, agent_id, task_id, halts, on_timeout, default: value }: QuestionSubject, timeoutMs: number | null): string[] {
  const about = task_id === undefined ? "" : ` about task ${task_id}`;
  const waits = timeoutMs === null ? "who waits" : `who waits ${formatDuration(timeoutMs)}`;
  const halted = { agent: "This agent is", session: "All agents of its session are", all: "All agents are" };
  return [
    `${type} QUESTION${about}. Asked by ${agent_id} on ${dayAndTime(now())}, ${waits}.`,
    ...(halts === null ? [] : [`${halted[halts]} halted until it is answered or withdrawn.`]),
    ...(on_timeout === "default" ? [`If nobody answers in time, this counts: ${JSON.stringify(value)}`] : []),
  ];
}
