import { join } from "node:path";
import { makeFolder, removeLeftovers } from "../system/atomic-file.ts";
import { type HeldLock, withLock } from "../system/lock.ts";
import type { Plan } from "./plans.ts";

/** The folders that plain files are written to. */
const WRITTEN = ["findings", "prompts"];

/** One writer at a time per plan; the lock lies in the plan's folder, so it holds for whoever reaches that folder. */
export function lockPlan<T>(plan: Plan, work: (lock: HeldLock) => Promise<T>): Promise<T> {
  return withLock(join(plan.directory, ".lock"), async (lock) => {
    for (const folder of WRITTEN.map((name) => join(plan.directory, name))) {
      await makeFolder(plan.directory, folder);
      await removeLeftovers(folder);
    }
    await removeLeftovers(plan.directory);
    return work(lock);
  });
}
