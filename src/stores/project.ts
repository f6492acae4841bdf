// Where envoy's files live for a repository.
import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { makeFolder, writeFileAtomic } from "../system/atomic-file.ts";
import { type Repository, readRepository } from "../system/git.ts";
import { isInside } from "../system/safe-path.ts";

export interface Project {
  /** The folder that holds envoy's. */
  root: string;
  directory: string;
  repository?: Repository;
}

const IGNORED = [
  "/.gitignore",
  "/.envoy-*.tmp", // left by a killed writer
  "/plans/",
  "/user_feedback/",
  "/questions/",
  "/tasks/",
  "/halts/",
  "/worktrees/",
  "/trash/",
  "/schemas/",
  "/events.jsonl",
  "/state/",
];

/** Looks, and makes nothing. */
export async function findProject({ cwd, envoyDir }: { cwd: string; envoyDir: string }): Promise<Project> {
  const repository = await readRepository(cwd);
  const root = repository?.mainRoot ?? folderWith(envoyDir, cwd) ?? cwd;
  const directory = resolve(root, envoyDir);
  return { root: isAbsolute(envoyDir) ? dirname(directory) : root, directory, ...(repository ? { repository } : {}) };
}

/** Where a plan's records lie: with the project that it lies in, else with the one at hand. */
export async function projectOfPlan(here: Project, plan: { directory: string }, envoyDir: string): Promise<Project> {
  if (isInside(here.directory, plan.directory)) return here;
  const around = await findProject({ cwd: plan.directory, envoyDir });
  return isInside(around.directory, plan.directory) ? around : here;
}

/** The team's config.yaml and files of others in that folder stay visible to git. */
export async function ensureProject({ root, directory }: Project): Promise<void> {
  await makeFolder(root, directory);
  await writeFileAtomic(join(directory, ".gitignore"), `${IGNORED.join("\n")}\n`, { ifAbsent: true, mode: 0o644 });
}

function folderWith(name: string, cwd: string): string | undefined {
  for (let at = resolve(cwd); ; at = dirname(at)) {
    if (existsSync(join(at, name))) return at;
    if (dirname(at) === at) return undefined;
  }
}
