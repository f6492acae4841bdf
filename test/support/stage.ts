import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { join, relative } from "node:path";
import { BINARY, cleanEnvironment, envoy } from "./envoy.ts";
import { git, temporaryFolder } from "./project.ts";

/** A project that can be put back to where it was. */
export class Stage {
  readonly #root: string;
  readonly #gate: string;
  #copy = "";

  constructor(project: { root: string }) {
    this.#root = project.root;
    this.#gate = openGateOf(project.root);
    this.snapshot();
  }

  snapshot(): void {
    this.#copy = join(temporaryFolder(), "copy");
    cpSync(this.#root, this.#copy, { recursive: true, preserveTimestamps: true });
  }

  restore(): void {
    for (const name of readdirSync(this.#root)) rmSync(join(this.#root, name), { recursive: true });
    cpSync(this.#copy, this.#root, { recursive: true, preserveTimestamps: true });
    for (const file of filesBelow(this.#copy)) {
      const { mtime } = statSync(join(this.#copy, file));
      utimesSync(join(this.#root, file), mtime, mtime);
    }
  }

  run(command: string[], failpoint = "") {
    return envoy(command, { cwd: this.#root, env: { ENVOY_FAILPOINT: failpoint } });
  }

  /** The same with the system's own calls: killed inside the N-th of each kind that a thread makes. */
  async runTraced(command: string[], nth: number): Promise<boolean> {
    const inject = `inject=fsync,rename,link,unlink,mkdir:signal=KILL:when=${nth}`;
    const args = ["-f", "-qq", "-o", "/dev/null", "-e", inject, process.execPath, BINARY, ...command];
    const child = spawn("strace", args, { cwd: this.#root, env: cleanEnvironment(), stdio: "ignore" });
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    return signal === "SIGKILL" || code === 137;
  }

  /** Kills a run at the 1st step, the 2nd, … until one gets through. */
  async killEach(command: string[], check: (step: number) => Promise<void>): Promise<number> {
    for (let step = 1; ; step++) {
      this.restore();
      const { signal } = await this.run(command, `#${step}=kill`);
      if (signal !== "SIGKILL") return step - 1;
      await check(step);
    }
  }

  /** What one more run finds. It asks for the gate by its id: the killed one may have delivered the result already. */
  async finish() {
    const run = await this.run(["wait", this.#gate]);
    const refs = git(this.#root, "for-each-ref", "--format=%(refname) %(tree) %(parent)"); // rescue commits carry their time
    return { result: run.json, files: this.#files(), refs, worktrees: git(this.#root, "worktree", "list") };
  }

  /** Everything but envoy's own state, which may tell of the kill. */
  #files(): Record<string, string> {
    const names = filesBelow(join(this.#root, ".envoy")).filter(
      (name) => !/^(state|events\.jsonl)/.test(name) && !/\.tmp$|\.json$/.test(name),
    );
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(this.#root, ".envoy", name), "utf8")]));
  }
}

function openGateOf(root: string): string {
  const folder = join(root, ".envoy/state/gates");
  return (existsSync(folder) && readdirSync(folder).find((name) => name.startsWith("g_"))) || "";
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
