import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { type Run, cleanEnvironment, envoy } from "./envoy.ts";

const made: string[] = [];
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Outside git, and with an .envoy of its own, so that none further up is found. */
export function folderOutsideGit(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, ".envoy"));
  return folder;
}

export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "envoy-test-")));
  made.push(folder);
  return folder;
}

export function git(cwd: string, ...args: string[]): string {
  const identity = ["-c", "user.name=Tester", "-c", "user.email=tester@example.invalid"];
  return execFileSync("git", [...identity, ...args], {
    cwd,
    env: cleanEnvironment(),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
}

export interface TestProject {
  root: string;
  plan: string;
  envoy: (...args: string[]) => Promise<Run>;
  /** The data of a run that must succeed. */
  data: (...args: string[]) => Promise<any>;
  /** The error of a run that must fail so. */
  error: (type: string, ...args: string[]) => Promise<{ code: number | null; message: string; suggestion: string; issues: any[] }>;
  read: (file: string) => string;
  write: (file: string, text: string | Buffer) => void;
}

/** A real repository with one commit on `feature/login`, and its plan. */
export async function newProject({ branch = "feature/login", init = true } = {}): Promise<TestProject> {
  const root = temporaryFolder();
  git(root, "init", "-q", "-b", branch);
  git(root, "commit", "-q", "--allow-empty", "-m", "first");
  const project = projectAt(root, join(root, ".envoy/plans", branch.replaceAll("/", "-")));
  if (init) await project.data("plan", "init");
  return project;
}

export function projectAt(root: string, plan: string): TestProject {
  const run = (...args: string[]) => envoy(args, { cwd: root });
  return {
    root,
    plan,
    envoy: run,
    async data(...args) {
      const { code, json } = await run(...args);
      expect(json).toMatchObject({ status: "success" });
      expect(code).toBe(0);
      return json.data;
    },
    async error(type, ...args) {
      const { code, json } = await run(...args);
      expect(json).toMatchObject({ status: "error", error: { type } });
      expect(json.error.message).not.toBe("");
      expect(json.error.suggestion).not.toBe("");
      return { code, ...json.error };
    },
    read: (file) => readFileSync(join(plan, file), "utf8"),
    write: (file, text) => writeFileSync(join(plan, file), text),
  };
}
