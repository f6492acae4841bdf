import type { House } from "../src/gate/house.ts";
import { requireQuestion } from "../src/questions/state.ts";
import { addToTask } from "../src/questions/task-records.ts";

/** A worker has the answer of this question, so that it is never fed in again. */
export async function markTaken(house: House, id: string): Promise<void> {
  const { task_id, status } = await requireQuestion(house, id);
  if (task_id === undefined || status !== "answered") return;
  await addToTask(house, task_id, (task) => (!task || task.taken.has(id) ? undefined : { type: "taken", question_ids: [id] }));
}
