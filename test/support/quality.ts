import { cpSync, mkdirSync, readFileSync, renameSync, watch, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Run, type RunOptions, envoy } from "./envoy.ts";
import { git, temporaryFolder } from "./project.ts";
import { type Waiter, startEnvoy } from "./waiter.ts";

const FIXTURES = resolve(import.meta.dirname, "../../fixtures");
export const reviewer = (script: string): string => `node ${join(FIXTURES, "reviewers", script)}`;

/** Passes as soon as the mistake in the fixture project is mended. */
export const TESTS = "node --test";
export const APPROVAL = "{ name: approval, type: human, prompt: Look at it }";
/** A gate that leaves one line in the log for each time it runs. */
export const logged = (name: string, command: string, more = ""): string =>
  `{ name: ${name}, type: command, command: ${JSON.stringify(`echo ${name} >> "$LOG"; ${command}`)}${more} }`;

export interface QualityProject {
  root: string;
  env: Record<string, string>;
  run: (...args: string[]) => Promise<Run>;
  /** `gates run` of the branch's task, whose id is feature-sum. */
  gates: (...args: string[]) => Promise<Run>;
  start: (args: string[], env?: Record<string, string>) => Waiter;
  hook: (name: "stop" | "pre-tool-use", payload: object | string, more?: { args?: string[]; env?: Record<string, string> }) => Promise<Run>;
  configure: (text: string) => void;
  /** Lines that gates left in the log, sorted. */
  log: () => string[];
  mend: () => void;
  edit: (file: string, text: string) => void;
  status: () => Promise<any>;
  taskStatus: () => Promise<string>;
  form: (key: string) => string;
  save: (key: string, replacements: Record<string, string>) => void;
  answer: (key: string, ...sets: string[]) => Promise<Run>;
  events: () => any[];
}

/** The fixture project on a branch of its own; the log lies outside, so that it changes no tree. */
export function qualityProject(gates: string[], { retry = "", formula = "none" } = {}): QualityProject {
  const root = temporaryFolder();
  const env = { LOG: join(temporaryFolder(), "log") };
  writeFileSync(env.LOG, "");
  cpSync(join(FIXTURES, "quality-project"), root, { recursive: true });
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "first");
  git(root, "checkout", "-q", "-b", "feature/sum");
  mkdirSync(join(root, ".envoy"));
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const configure = (text: string) => write(".envoy/config.yaml", text);
  configure(
    `gates:\n  formula: ${formula}\n  list:\n${gates.map((gate) => `    - ${gate}\n`).join("")}${retry ? `retry: ${retry}\n` : ""}`,
  );
  const start: QualityProject["start"] = (args, more = {}) => startEnvoy(args, { cwd: root, env: { ...env, ...more } });
  const run = (args: string[], more: Partial<RunOptions> = {}) => envoy(args, { cwd: root, ...more, env: { ...env, ...more.env } });
  const form = (key: string) => join(root, ".envoy/user_feedback", `${key}.yaml`);
  return {
    root,
    env,
    run: (...args) => run(args),
    gates: (...args) => run(["gates", "run", ...args]),
    start,
    hook: (name, payload, { args = [], env: own = {} } = {}) =>
      run(["hook", name, ...args], { input: typeof payload === "string" ? payload : JSON.stringify(payload), env: own }),
    configure,
    log: () => readFileSync(env.LOG, "utf8").split("\n").filter(Boolean).toSorted(),
    mend: () => write("src/sum.js", "export const sum = (a, b) => a + b;\n"),
    edit: write,
    status: async () => (await run(["gates", "status"])).json.data.tasks?.[0],
    taskStatus: async () => (await run(["task", "show", "feature-sum"])).json.data.status,
    form: (key) => readFileSync(form(key), "utf8"),
    save(key, replacements) {
      let text = readFileSync(form(key), "utf8");
      for (const [from, to] of Object.entries(replacements)) {
        if (!text.includes(from)) throw new Error(`the form has no ${JSON.stringify(from)}:\n${text}`);
        text = text.replace(from, () => to);
      }
      writeFileSync(`${form(key)}.saved`, text);
      renameSync(`${form(key)}.saved`, form(key));
    },
    answer: (key, ...sets) => run(["answer", key, ...sets.flatMap((set) => ["--set", set]), "--done"]),
    events: () =>
      readFileSync(join(root, ".envoy/events.jsonl"), "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as unknown),
  };
}

/** Resolves when the file says enough; told by the file system, not by looking again and again. */
export function untilFile(file: string, enough: (text: string) => boolean): Promise<string> {
  return new Promise((done) => {
    const watcher = watch(file, look);
    function look(): void {
      const text = readFileSync(file, "utf8");
      if (!enough(text)) return;
      watcher.close();
      done(text);
    }
    look();
  });
}
