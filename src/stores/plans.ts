// Plans: one folder per feature branch, found by what its record says, not by its name.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { EnvoyError } from "../../schemas/errors.ts";
import { makeFolder, readFileSafe, writeFileAtomic } from "../system/atomic-file.ts";
import { isoNow } from "../system/clock.ts";
import { inOrder } from "../system/in-order.ts";
import { moveFolder } from "../system/move-folder.ts";
import { checkFolder, listFolder } from "../system/safe-path.ts";
import { type Project, ensureProject } from "./project.ts";

export interface Plan {
  name: string;
  directory: string;
  branch?: string;
  createdAt?: string;
}
export interface PlanChoice {
  cwd: string;
  planDir?: string;
}
interface PlanSearch extends PlanChoice {
  promptBranches: (planDirectory: string) => Promise<string[]>;
  warn: (message: string) => void;
}

const ARCHIVE = "_archive";
const DEFAULT_PLAN = "default";
const FOLDERS = ["findings", "prompts", "user_feedback"];
const plansFolder = (project: Project) => join(project.directory, "plans");

/** The audit trail. */
export const trailOf = ({ directory }: Pick<Plan, "directory">): string => join(directory, "user_input.md");

/** One cheap look: a process was killed while it added to the trail. */
export const isTrailUnfinished = (plan: Plan): boolean => existsSync(`${trailOf(plan)}.adding`);

export async function findPlan(project: Project, search: PlanSearch): Promise<Plan> {
  const { cwd, planDir } = search;
  if (planDir !== undefined) {
    const directory = resolve(cwd, planDir);
    const plan = await readPlan(directory, dirname(directory));
    if (!plan) throw new EnvoyError("no_plan", { directory });
    return plan;
  }
  if (!project.repository) return (await readPlan(join(plansFolder(project), DEFAULT_PLAN), project.root)) ?? missing(project);
  const { branch } = project.repository;
  if (branch === undefined) throw new EnvoyError("no_branch", { directory: cwd });
  return (await planOfBranch(project, branch)) ?? (await planOfPromptBranch(project, branch, search)) ?? missing(project, branch);
}

function missing(project: Project, branch?: string): never {
  throw new EnvoyError("no_plan", { directory: plansFolder(project), ...(branch === undefined ? {} : { branch }) });
}

/** Two at once agree: the record is a name created if absent. */
export async function initPlan(project: Project, { cwd, planDir }: PlanChoice): Promise<{ plan: Plan; created: boolean }> {
  if (planDir !== undefined) {
    const directory = resolve(cwd, planDir);
    const inside = directory.startsWith(project.directory + sep);
    if (inside) await ensureProject(project);
    return makePlan(directory, inside ? project.root : dirname(directory), project.repository?.branch);
  }
  const branch = project.repository?.branch;
  if (project.repository && branch === undefined) throw new EnvoyError("no_branch", { directory: cwd });
  await ensureProject(project);
  await makeFolder(project.root, plansFolder(project));
  for (const name of branch === undefined ? [DEFAULT_PLAN] : folderNames(branch)) {
    const made = await makePlan(join(plansFolder(project), name), project.root, branch);
    if (made.plan.branch === branch) return made;
  }
  throw new EnvoyError("path_taken", { path: plansFolder(project), purpose: `the plan of ${branch}` });
}

async function makePlan(directory: string, root: string, branch: string | undefined): Promise<{ plan: Plan; created: boolean }> {
  await makeFolder(root, directory);
  const record = { version: 1, ...(branch === undefined ? {} : { branch }), created_at: isoNow() };
  const created = await writeFileAtomic(join(directory, "plan.json"), `${JSON.stringify(record)}\n`, { ifAbsent: true });
  const plan = (await readPlan(directory, root))!;
  if (plan.branch === branch) for (const folder of FOLDERS) await makeFolder(directory, join(directory, folder));
  return { plan, created };
}

async function planFolders(project: Project): Promise<string[]> {
  const entries = await listFolder(project.root, plansFolder(project));
  return entries.filter((entry) => entry.isDirectory() && entry.name !== ARCHIVE).map(({ name }) => join(plansFolder(project), name));
}

export async function listPlans(project: Project): Promise<Plan[]> {
  const plans = await Promise.all((await planFolders(project)).map((folder) => readPlan(folder, project.root)));
  return plans
    .filter((plan) => plan !== undefined)
    .toSorted((a, b) => inOrder(a.createdAt ?? "", b.createdAt ?? "") || inOrder(a.name, b.name));
}

export async function openForms(plan: Plan): Promise<string[]> {
  const entries = await listFolder(plan.directory, join(plan.directory, "user_feedback"));
  return entries
    .map(({ name }) => name)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => name.slice(0, -5))
    .toSorted();
}

export async function planNamed(project: Project, name: string): Promise<Plan> {
  const plans = await listPlans(project);
  const plan = plans.find((candidate) => candidate.name === name);
  if (!plan) throw new EnvoyError("plan_not_found", { plan: name, known: plans.map((known) => known.name) });
  return plan;
}

/** Returns where it lies now: beside the other plans of its folder, in their archive. */
export async function archivePlan(plan: Plan): Promise<string> {
  const { name, directory } = plan;
  const forms = await openForms(plan);
  if (forms.length) throw new EnvoyError("plan_in_use", { plan: name, forms });
  const archive = join(dirname(directory), ARCHIVE);
  await makeFolder(dirname(directory), archive);
  for (let n = 1; ; n++) {
    const target = join(archive, n === 1 ? name : `${name}-${n}`);
    if (await moveFolder(directory, target)) return target;
  }
}

async function planOfBranch(project: Project, branch: string): Promise<Plan | undefined> {
  for (const name of folderNames(branch)) {
    const plan = await readPlan(join(plansFolder(project), name), project.root);
    if (plan?.branch === branch) return plan;
    if (plan && plan.branch === undefined && name === folderNames(branch)[0]) return { ...plan, branch };
  }
  return undefined;
}

/** Agents in the worktree of a variant reach their feature's plan. */
async function planOfPromptBranch(project: Project, branch: string, { promptBranches, warn }: PlanSearch): Promise<Plan | undefined> {
  for (const folder of await planFolders(project)) {
    try {
      if ((await promptBranches(folder)).includes(branch)) return await readPlan(folder, project.root);
    } catch (error) {
      if (!(error instanceof EnvoyError)) throw error;
      warn(`envoy: passed over the plan ${basename(folder)}: ${error.message}`);
    }
  }
  return undefined;
}

/** The plain name first; with a hash where that belongs to another branch or cannot be a folder of its own. */
function folderNames(branch: string): string[] {
  const plain = branch.replaceAll("/", "-");
  const hashed = `${[...plain].slice(0, 40).join("").replace(/^\./, "_")}-${createHash("sha256").update(branch).digest("hex").slice(0, 8)}`;
  const usable = Buffer.byteLength(plain) <= 120 && !plain.startsWith(".") && plain !== ARCHIVE;
  return usable ? [plain, hashed] : [hashed];
}

async function readPlan(directory: string, root: string): Promise<Plan | undefined> {
  const file = join(directory, "plan.json");
  const bytes = await readFileSafe(root, file, { maxBytes: 65_536 });
  if (!bytes) return (await checkFolder(directory)) ? { name: basename(directory), directory } : undefined;
  const record = parseRecord(file, bytes.toString("utf8"));
  return {
    name: basename(directory),
    directory,
    ...(record.branch === undefined ? {} : { branch: record.branch }),
    createdAt: record.created_at,
  };
}

function parseRecord(file: string, text: string): { branch?: string; created_at: string } {
  const damaged = (message: string) => new EnvoyError("invalid_file", { file, issues: [{ file, line: 1, column: 1, message }] });
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch (error) {
    throw damaged(`not JSON: ${(error as Error).message}`);
  }
  const { version, branch, created_at } = (record ?? {}) as Record<string, unknown>;
  if (version !== 1) throw damaged(`version ${String(version)} was written by another envoy; this one knows version 1`);
  if ((branch !== undefined && typeof branch !== "string") || typeof created_at !== "string")
    throw damaged("branch and created_at must be texts");
  return { ...(branch === undefined ? {} : { branch }), created_at };
}
