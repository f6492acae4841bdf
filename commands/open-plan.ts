import { readdirSync } from "node:fs";
import { join } from "node:path";
import { findPlan, isTrailUnfinished } from "../src/stores/plans.ts";
import type { Plan } from "../src/stores/plans.ts";
import { type Project, projectOfPlan } from "../src/stores/project.ts";
import { promptBranches } from "../src/stores/prompts.ts";
import { errorCode } from "../src/system/safe-path.ts";
import type { Context } from "./command.ts";
import { openProject } from "./open-project.ts";

export interface OpenedPlan {
  plan: Plan;
  /** The project that the plan's records belong to. */
  project: Project;
  /** Another one than that of the current folder. */
  elsewhere: boolean;
}

/** The plan a command works on: `--plan-dir`, ENVOY_PLAN_DIR, or the current branch's. What was left unfinished there is finished first. */
export async function openPlanOfProject(context: Context, planDir: string | undefined, { settle = true } = {}): Promise<OpenedPlan> {
  const here = await openProject(context);
  const plan = await findPlan(here, { ...planChoice(context, planDir), promptBranches, warn: context.note });
  const project = await projectOfPlan(here, plan, context.environment.ENVOY_DIR);
  if (settle && mayBeUnsettled(project, plan)) {
    const { settle: settleNow } = await import("./settle.ts");
    await settleNow(context, { project, plan });
  }
  return { plan, project, elsewhere: project !== here };
}

export const openPlan = async (context: Context, planDir: string | undefined): Promise<Plan> =>
  (await openPlanOfProject(context, planDir)).plan;

/** Three looks at what is not there nearly always. */
const mayBeUnsettled = (project: Project, plan: Plan): boolean =>
  isTrailUnfinished(plan) ||
  hasEntries(join(project.directory, "state", "gates"), "ended") ||
  hasEntries(join(plan.directory, "user_feedback"));

function hasEntries(folder: string, except?: string): boolean {
  try {
    return readdirSync(folder).some((name) => name !== except);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}

export function planChoice({ cwd, environment }: Context, planDir: string | undefined): { cwd: string; planDir?: string } {
  const chosen = planDir ?? environment.ENVOY_PLAN_DIR;
  return { cwd, ...(chosen === undefined ? {} : { planDir: chosen }) };
}
