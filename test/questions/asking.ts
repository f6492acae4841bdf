import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Run, envoy } from "../support/envoy.ts";
import { git, temporaryFolder } from "../support/project.ts";
import { WAITS, type Waiter, startEnvoy } from "../support/waiter.ts";

export interface Asker {
  root: string;
  run: (args: string[], options?: { env?: Record<string, string>; input?: string }) => Promise<Run>;
  /** The data of a run that must succeed. */
  data: (...args: string[]) => Promise<any>;
  /** The error of a run that must fail so. */
  error: (type: string, ...args: string[]) => Promise<any>;
  /** Asks without waiting, and gives the id. */
  ask: (...args: string[]) => Promise<string>;
  /** Starts a run and waits until it has said that it waits. */
  waiting: (...args: string[]) => Promise<Waiter>;
  form: (id: string) => string;
  /** Saves the form as a person would. */
  save: (id: string, edits: Record<string, string>) => void;
  facts: (id: string) => any[];
  events: () => any[];
  file: (path: string) => string;
}

/** A repository of its own, without a plan: questions need none. */
export function newAsker(): Asker {
  const root = temporaryFolder();
  git(root, "init", "-q");
  const run: Asker["run"] = (args, options = {}) => envoy(args, { cwd: root, ...options });
  const file = (path: string) => join(root, ".envoy", path);
  const asker: Asker = {
    root,
    run,
    file,
    async data(...args) {
      const { json, code } = await run(args);
      expect(json).toMatchObject({ status: "success" });
      expect(code).toBe(0);
      return json.data;
    },
    async error(type, ...args) {
      const { json, code } = await run(args);
      expect(json).toMatchObject({ status: "error", error: { type } });
      expect(json.error.suggestion).not.toBe("");
      return { code, ...json.error };
    },
    ask: async (...args) => (await asker.data("ask", ...args, "--no-wait")).question_id,
    async waiting(...args) {
      const waiter = startEnvoy(args, { cwd: root });
      await waiter.says(WAITS);
      return waiter;
    },
    form: (id) => readFileSync(file(`user_feedback/${id}.yaml`), "utf8"),
    save(id, edits) {
      const text = Object.entries(edits).reduce((form, [from, to]) => form.replace(from, to), asker.form(id));
      writeFileSync(file(`user_feedback/${id}.yaml`), text);
    },
    facts(id) {
      const folder = [file(`questions/${id}`), file(`questions/ended/${id}`)].find((each) => readdirSync(join(each, "..")).includes(id))!;
      return readdirSync(folder)
        .sort()
        .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
    },
    events: () =>
      readFileSync(file("events.jsonl"), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
  };
  return asker;
}

export const TYPED = (answer: string) => ({ "answer: |\n  \n": `answer: |\n  ${answer}\n`, "done: false": "done: true" });
