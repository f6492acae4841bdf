// plan.md: the plan's title and objective in its front matter, its text below.
import { join } from "node:path";
import { EnvoyError } from "../../schemas/errors.ts";
import { type PlanFrontMatter, PlanFrontMatter as PlanSchema } from "../../schemas/plan.ts";
import { writeFileAtomic } from "../system/atomic-file.ts";
import { type FrontMatterText, editFrontMatter, newFrontMatter, readFrontMatter } from "./front-matter.ts";
import { lockPlan } from "./plan-lock.ts";
import type { Plan } from "./plans.ts";
import { readTextFile } from "./text-file.ts";

export type PlanText = FrontMatterText<PlanFrontMatter>;

const fileOf = (plan: Plan) => join(plan.directory, "plan.md");

export async function readPlanText(plan: Plan): Promise<PlanText> {
  const file = fileOf(plan);
  const text = await readTextFile(plan.directory, file);
  if (text === undefined) throw new EnvoyError("plan_not_written", { file });
  return readFrontMatter(file, text, PlanSchema);
}

/** What is not given stays. */
export async function writePlanText(
  plan: Plan,
  { body, ...keys }: { title?: string | undefined; objective?: string | undefined; body?: string | undefined },
): Promise<PlanText> {
  return lockPlan(plan, async (lock) => {
    const file = fileOf(plan);
    const old = await readTextFile(plan.directory, file);
    if (old !== undefined) readFrontMatter(file, old, PlanSchema); // a damaged file is reported, never overwritten
    const text =
      old === undefined
        ? newFrontMatter({ title: keys.title ?? "", objective: keys.objective ?? "" }, body ?? "")
        : editFrontMatter({ file, text: old }, keys, body);
    await lock.assertHeld();
    await writeFileAtomic(file, text);
    return readFrontMatter(file, text, PlanSchema);
  });
}
