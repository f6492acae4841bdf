// One case of fixtures/gates: a plan before, what agents and people do, the JSON that came and the plan after.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { Run } from "../support/envoy.ts";
import { type TestProject, git, newProject } from "../support/project.ts";
import { type Waiter, startEnvoy } from "../support/waiter.ts";

type Words = string | string[];

/** What happens, one after the other. A wait is always for something that a process says or for its end. */
type Step =
  /** Starts a command; `in` names a prompt whose worktree it runs in. */
  | { run: Words; as?: string; in?: string; env?: Record<string, string> }
  /** Waits until a started command has said this on stderr. */
  | { see: string; of?: string }
  /** A person saves a form: with replacements in its text, or as a whole text; `file` for the logs beside it. */
  | { save: string; replace?: [string, string][]; whole?: string }
  | { kill: string }
  /** Waits for the end of a started command; its answer is compared. */
  | { end: string }
  /** Runs a command to its end; it must succeed. */
  | { envoy: Words }
  | { git: Words };

interface Case {
  title: string;
  steps: Step[];
  /** Branches and worktrees are compared too. */
  git?: boolean;
}

/** What came of a case: each command's exit code and JSON, and the plan's files. */
export interface Played {
  answers: Record<string, unknown>;
  after: Record<string, string>;
}

export async function playCase(folder: string): Promise<Played> {
  const { steps, git: withGit } = JSON.parse(readFileSync(join(folder, "case.json"), "utf8")) as Case;
  const project = await newProject();
  for (const before of [join(folder, "../before"), join(folder, "before")]) {
    if (existsSync(before)) cpSync(before, project.plan, { recursive: true });
  }
  const started = new Map<string, Waiter>();
  const answers: Record<string, unknown> = {};
  const plain = normaliser(project);
  try {
    for (const step of steps) await play(step, { project, started, ended: (name, end) => (answers[name] = told(end, plain)) });
  } finally {
    for (const waiter of started.values()) waiter.child.kill("SIGKILL");
  }
  const files = { ...planFiles(project.plan), ...(withGit ? { "git.txt": gitState(project.root) } : {}) };
  return { answers, after: Object.fromEntries(Object.entries(files).map(([name, text]) => [name, plain(text)])) };
}

export const expectedOf = (folder: string): Played => ({
  answers: JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as Played["answers"],
  after: planFiles(join(folder, "after")),
});

interface Scene {
  project: TestProject;
  started: Map<string, Waiter>;
  ended: (name: string, end: Run) => void;
}

async function play(step: Step, { project, started, ended }: Scene): Promise<void> {
  if ("run" in step) {
    const cwd = step.in ? join(project.root, ".envoy/worktrees", `feature-login--${step.in}`) : project.root;
    started.set(step.as ?? "gate", startEnvoy(wordsOf(step.run), { cwd, ...(step.env ? { env: step.env } : {}) }));
  } else if ("see" in step) await started.get(step.of ?? "gate")!.says(new RegExp(step.see.replace(/[()?.*]/g, "\\$&")));
  else if ("save" in step) savePerson(join(project.plan, "user_feedback", step.save), step);
  else if ("kill" in step) await started.get(step.kill)!.kill();
  else if ("end" in step) ended(step.end, await started.get(step.end)!.end);
  else if ("envoy" in step) await project.data(...wordsOf(step.envoy));
  else git(project.root, ...wordsOf(step.git));
}

const wordsOf = (words: Words): string[] => (typeof words === "string" ? words.split(" ") : words);

function savePerson(file: string, { replace = [], whole }: Extract<Step, { save: string }>): void {
  let text = whole ?? readFileSync(file, "utf8");
  for (const [from, to] of replace) {
    expect(text).toContain(from);
    text = text.replace(from, () => to);
  }
  writeFileSync(file, text);
}

function told({ code, signal, stdout }: Run, plain: (text: string) => string): unknown {
  return { exit: code ?? signal, ...(stdout ? { output: JSON.parse(plain(stdout)) as unknown } : {}) };
}

/** Ids, times and places differ from run to run; which id is which does not. */
function normaliser({ root }: TestProject): (text: string) => string {
  const ids = new Map<string, string>();
  const nameId = (id: string) => ids.get(id) ?? ids.set(id, `g_${ids.size + 1}`).get(id)!;
  return (text) =>
    text
      .replaceAll(root, "~")
      .replace(/\bg_[0-9a-z]{11}\b/g, nameId)
      .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>")
      .replace(/\b\d{1,2} [A-Z][a-z]{2,3} \d\d:\d\d\b/g, "<date>")
      .replace(/"waited_ms":\d+/g, '"waited_ms":0')
      .replace(/\b[0-9a-f]{40}\b/g, "<commit>");
}

/** All files of a plan but its own record. */
function planFiles(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "plan.json" && !entry.name.endsWith(".lock"))
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(names.toSorted().map((file) => [file.slice(folder.length + 1), readFileSync(file, "utf8")]));
}

function gitState(root: string): string {
  const branches = git(root, "branch", "--list", "--format=%(refname:short)");
  const worktrees = git(root, "worktree", "list", "--porcelain")
    .split("\n")
    .filter((line) => line.startsWith("worktree "));
  const trash = join(root, ".envoy/trash");
  const thrown = existsSync(trash) ? readdirSync(trash).map((name) => `trash ${name}`) : [];
  return `${[branches, ...worktrees, ...thrown].join("\n")}\n`;
}

export function keepAsExpected(folder: string, { answers, after }: Played): void {
  rmSync(join(folder, "after"), { recursive: true, force: true });
  writeFileSync(join(folder, "expected.json"), `${JSON.stringify(answers, null, 2)}\n`);
  for (const [name, text] of Object.entries(after)) {
    const file = join(folder, "after", name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
