import { EnvoyError } from "../../schemas/errors.ts";
import type { House } from "../gate/house.ts";
import type { Stream } from "../stores/records.ts";
import { readQuestion } from "./state.ts";
import { type DerivedTask, type Task, type TaskFact, deriveTask, foldTask } from "./tasks.ts";
import type { Question } from "./question.ts";

const taskStream = (id: string): Stream<TaskFact> => ({ kind: "task", id });

export async function readTask({ records }: Pick<House, "records">, id: string): Promise<Task | undefined> {
  return foldTask(id, await records.read(taskStream(id)));
}

export async function requireTask(house: House, id: string): Promise<Task> {
  const task = await readTask(house, id);
  if (!task) throw new EnvoyError("task_not_found", { task_id: id });
  return task;
}

/** Adds what `decide` says to the task as it is; asked again where somebody else was faster. Undefined adds nothing. */
export async function addToTask(
  house: House,
  id: string,
  decide: (task: Task | undefined) => TaskFact | undefined,
): Promise<Task | undefined> {
  for (;;) {
    const task = await readTask(house, id);
    const fact = decide(task);
    if (!fact) return task;
    if (await house.records.append(taskStream(id), task?.length ?? 0, fact)) return requireTask(house, id);
  }
}

export async function allTasks(house: House): Promise<Task[]> {
  const ids = await house.records.list("task", { closed: true });
  const tasks = await Promise.all(ids.map((id) => readTask(house, id)));
  return tasks.filter((task) => task !== undefined);
}

/** The questions ever asked about it, in order. */
export async function questionsOf(house: House, task: Task): Promise<Question[]> {
  const questions = await Promise.all(task.asked.map((id) => readQuestion(house, id)));
  return questions.filter((question) => question !== undefined);
}

export async function derivedTask(house: House, id: string): Promise<(DerivedTask & { task: Task }) | undefined> {
  const task = await readTask(house, id);
  return task && { task, ...deriveTask(task, await questionsOf(house, task)) };
}
