import { createHash } from "node:crypto";
import { EnvoyError } from "../../schemas/errors.ts";
import { isTaskId } from "../../schemas/question-words.ts";
import type { House } from "../../src/gate/house.ts";
import { addToTask, readTask } from "../../src/questions/task-records.ts";
import { ensureProject } from "../../src/stores/project.ts";
import type { Context } from "../command.ts";

/** The task that was named, or else the branch's. */
export function whichTask(house: House, { environment, cwd }: Pick<Context, "environment" | "cwd">, given?: string): string {
  const named = given ?? environment.ENVOY_TASK_ID;
  if (named !== undefined) {
    if (isTaskId(named)) return named;
    throw new EnvoyError("task_not_found", { task_id: named });
  }
  const branch = house.project.repository?.branch;
  if (branch === undefined) throw new EnvoyError("no_task", { directory: cwd });
  const id = branch.replaceAll("/", "-");
  return isTaskId(id) ? id : `branch-${createHash("sha256").update(branch).digest("hex").slice(0, 12)}`;
}

/** A task is there from its first use on, as when a question is asked about it. */
export async function madeTask(house: House, id: string): Promise<string> {
  if (await readTask(house, id)) return id;
  await ensureProject(house.project);
  await addToTask(house, id, (task) => (task ? undefined : { type: "set", status: "in_progress" }));
  return id;
}
