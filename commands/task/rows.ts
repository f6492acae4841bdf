// How a task looks on a terminal.
import type { TaskRow } from "../../src/questions/task-view.ts";
import { now } from "../../src/system/clock.ts";
import { formatDuration } from "../../src/system/durations.ts";
import type { Tone } from "../command.ts";

export const TASK_COLUMNS = ["", "task", "status", "prio", "size", "title", "question", "context", "asked by", "since"];

export function taskCells({ task, status, question }: TaskRow, lead = ""): string[] {
  return [
    question ? "❓" : "",
    lead + task.task_id,
    status,
    task.priority ?? "",
    task.size ?? "",
    clip(task.title ?? "", 40),
    clip(question?.prompt ?? "", 50),
    clip(question?.context ?? "", 40),
    question ? question.agent_id : "",
    question ? `${formatDuration(now().getTime() - Date.parse(question.created_at))} ago` : "",
  ];
}

/** The JSON has the whole text. */
export function clip(text: string, most: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

export const taskTone = ({ status }: TaskRow): Tone | undefined =>
  status === "awaiting_input"
    ? "wanted"
    : status === "failed" || status === "blocked"
      ? "bad"
      : status === "closed" || status === "merged"
        ? "past"
        : undefined;
