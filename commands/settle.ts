import { settlePlan } from "../src/gate/settle.ts";
import type { Plan } from "../src/stores/plans.ts";
import type { Project } from "../src/stores/project.ts";
import type { Context } from "./command.ts";
import { openHouse } from "./house.ts";

/** Finishes what an interrupted command began on this plan. */
export async function settle(context: Context, { project, plan }: { project: Project; plan: Plan }): Promise<void> {
  await settlePlan(await openHouse(context, project), plan);
}
