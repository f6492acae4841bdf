import { hasEnded } from "../../schemas/question-words.ts";
import { type House, lockGate } from "../gate/house.ts";
import { withdrawQuestion } from "./answer.ts";
import { addToTask, derivedTask, questionsOf } from "./task-records.ts";
import type { DerivedTask, Task, TaskSettings } from "./tasks.ts";

export interface SetTask extends DerivedTask {
  task: Task;
  withdrawn: string[];
}

/** Sets what is given. Nobody can ask about the task at the same moment, so that one that ends leaves no question open. */
export async function setTask(house: House, id: string, settings: TaskSettings): Promise<SetTask> {
  const open = await lockGate(house, `task-${id}`, async () => {
    const task = (await addToTask(house, id, once(settings)))!;
    if (!hasEnded(task.stored) || settings.status === undefined) return [];
    return (await questionsOf(house, task)).filter(({ status }) => status === "open");
  });
  const withdrawn: string[] = [];
  for (const { question_id } of open) {
    await withdrawQuestion(house, question_id, `task ${id} is ${settings.status}`);
    withdrawn.push(question_id);
  }
  return { ...(await derivedTask(house, id))!, withdrawn };
}

/** A new task is open. */
const once =
  (settings: TaskSettings) =>
  (task: Task | undefined): { type: "set" } & TaskSettings => ({ type: "set", ...(task ? {} : { status: "open" }), ...settings });
