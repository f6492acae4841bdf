import { readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestProject, newProject } from "./project.ts";
import { type Waiter, startEnvoy } from "./waiter.ts";

/** A project with one specialist's findings and two prompts, ready for its plan gate. */
export interface PlannedProject extends TestProject {
  form: (key?: string) => string;
  readForm: (key?: string) => string;
  /** Saves by rename, as vim and `sed -i` do, after these replacements. */
  save: (replacements: Record<string, string>, key?: string) => void;
  forms: () => string[];
  gate: (...args: string[]) => Waiter;
  start: (args: string[], env?: Record<string, string | undefined>) => Waiter;
}

export const PLAN_GATE = ["plan", "block-plan-gate"];
export const DONE = { "done: false": "done: true" };

export async function plannedProject(): Promise<PlannedProject> {
  const project = await newProject();
  await project.data("plan", "write-finding", "backend", "--notes", "Sessions are kept in memory.");
  await project.data("plan", "write-prompt", "1", "--description", "Build the login page");
  await project.data("plan", "write-prompt", "2", "--description", "Keep sessions in Redis");
  const form = (key = "plan_gate") => join(project.plan, "user_feedback", `${key}.yaml`);
  const start: PlannedProject["start"] = (args, env = {}) => startEnvoy(args, { cwd: project.root, env });
  return {
    ...project,
    form,
    readForm: (key) => readFileSync(form(key), "utf8"),
    save(replacements, key) {
      let text = readFileSync(form(key), "utf8");
      for (const [from, to] of Object.entries(replacements)) {
        if (!text.includes(from)) throw new Error(`the form has no ${JSON.stringify(from)}:\n${text}`);
        text = text.replace(from, () => to);
      }
      writeFileSync(`${form(key)}.saved`, text);
      renameSync(`${form(key)}.saved`, form(key));
    },
    forms: () => readdirSync(join(project.plan, "user_feedback")).toSorted(),
    start,
    gate: (...args) => start([...PLAN_GATE, ...args]),
  };
}
