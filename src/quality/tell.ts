import type { Feedback, GateResult } from "../../schemas/quality.ts";
import type { House } from "../gate/house.ts";
import { type EventLine, appendEvent } from "../stores/events.ts";

interface Told {
  task: string;
  who: string;
  at?: string;
  iteration?: number;
  gate?: string;
  result?: GateResult["outcome"];
  feedback?: readonly Feedback[];
  commit?: string | undefined;
  [detail: string]: unknown;
}

/** One line of events.jsonl about a task's gates. */
export const tell = (house: Pick<House, "project">, event: EventLine["event"], { task, ...told }: Told): Promise<void> =>
  appendEvent(house.project, { event, scope: "task", task_id: task, ...told });
