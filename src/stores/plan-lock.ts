import { join } from "node:path";
import { type HeldLock, withLock } from "../system/lock.ts";
import type { Plan } from "./plans.ts";

/** One writer at a time per plan; it lies in the plan's folder, so it holds for whoever reaches that folder. */
export const lockPlan = <T>(plan: Plan, work: (lock: HeldLock) => Promise<T>): Promise<T> => withLock(join(plan.directory, ".lock"), work);
