import { findPlan } from "../src/stores/plans.ts";
import type { Plan } from "../src/stores/plans.ts";
import { type Project, findProject } from "../src/stores/project.ts";
import { promptBranches } from "../src/stores/prompts.ts";
import type { Context } from "./command.ts";

export const openProject = ({ cwd, environment }: Context): Promise<Project> => findProject({ cwd, envoyDir: environment.ENVOY_DIR });

/** The plan a command works on: `--plan-dir`, ENVOY_PLAN_DIR, or the current branch's. */
export async function openPlan(context: Context, planDir: string | undefined): Promise<Plan> {
  const project = await openProject(context);
  return findPlan(project, { ...planChoice(context, planDir), promptBranches, warn: context.note });
}

export function planChoice({ cwd, environment }: Context, planDir: string | undefined): { cwd: string; planDir?: string } {
  const chosen = planDir ?? environment.ENVOY_PLAN_DIR;
  return { cwd, ...(chosen === undefined ? {} : { planDir: chosen }) };
}
