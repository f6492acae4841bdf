// What follows from an answer, an expiry or a withdrawal: what the result says of it, and who is told.
import type { GateFact, GateState } from "../gate/history.ts";
import type { House } from "../gate/house.ts";
import { type EventLine, appendEvent } from "../stores/events.ts";
import { haltReasons } from "./halts.ts";
import type { QuestionSubject } from "./question.ts";
import { readState } from "./state.ts";
import { addToTask, derivedTask } from "./task-records.ts";

/** How things stand right after the answer; kept with the result, so that every waiter reads the same. */
export async function reportAnswer(house: House, gate: GateState): Promise<Record<string, unknown>> {
  if (gate.end?.type !== "answered") return {};
  const { answered_by, saved_at } = gate.end.answer;
  const standing = await standingAfter(house, gate.subject as QuestionSubject);
  return { question_id: gate.id, question_status: "answered", answered_by, answered_at: saved_at, ...standing };
}

/** `resumed`: nothing else keeps the task, or without one the agent, from going on. */
export async function standingAfter(house: House, subject: QuestionSubject): Promise<{ task_status?: string; resumed: boolean }> {
  const { agent_id: agent, session_id: session, task_id: task } = subject;
  const halted = haltReasons(await readState(house), { agent, session, task }).length > 0;
  const derived = task === undefined ? undefined : await derivedTask(house, task);
  return { ...(derived ? { task_status: derived.status } : {}), resumed: !halted && derived?.status !== "awaiting_input" };
}

const EVENTS: Partial<Record<GateFact["type"], EventLine["event"]>> = {
  opened: "asked",
  answered: "answered",
  expired: "expired",
  withdrawn: "withdrawn",
};

export async function tellOthers(house: House, gate: GateState, fact: GateFact["type"]): Promise<void> {
  const event = EVENTS[fact];
  if (!event) return;
  const { halts, agent_id, session_id, task_id, prompt, type, on_timeout } = gate.subject as QuestionSubject;
  await appendEvent(house.project, {
    event,
    ...occurrence(gate, event),
    scope: halts,
    question_id: gate.id,
    type,
    agent_id,
    ...(session_id === undefined ? {} : { session_id }),
    ...(task_id === undefined ? {} : { task_id }),
    ...(event === "asked" ? { why: prompt } : {}),
    ...(event === "expired" ? { why: `on timeout: ${on_timeout}` } : {}),
  });
  if (event === "expired" && on_timeout === "fail" && halts !== null && task_id !== undefined) await failTask(house, task_id, gate);
}

function occurrence({ opened, end, expired }: GateState, event: EventLine["event"]): Pick<EventLine, "at" | "who" | "why"> {
  if (event === "expired") return { at: expired!.expired_at, who: "the clock" };
  if (event === "asked" || !end) return { at: opened.at, who: opened.asked_by };
  if (end.type === "answered") return { at: end.at, who: end.answer.answered_by, why: JSON.stringify(end.result["answer"]) };
  return { at: end.at, who: end.by.agent ?? end.by.user, ...(end.reason ? { why: end.reason } : {}) };
}

async function failTask(house: House, taskId: string, gate: GateState): Promise<void> {
  const failed_at = gate.expired!.expired_at;
  await addToTask(house, taskId, (task) => {
    const setSince = task && Date.parse(task.storedAt) > Date.parse(failed_at);
    return setSince || task?.stored === "failed" ? undefined : { type: "failed", question_id: gate.id, failed_at };
  });
}
