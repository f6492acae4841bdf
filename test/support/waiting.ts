import { type ChildProcess, spawn } from "node:child_process";
import { BINARY, cleanEnvironment } from "./envoy.ts";

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A command that waits for a person, and what it says meanwhile. */
export class Waiting {
  readonly child: ChildProcess;
  readonly end: Promise<Ended>;
  #stdout = "";
  #stderr = "";
  #seen = 0;
  #over = false;
  #told: () => void = () => undefined;

  constructor(args: readonly string[], { cwd, env = {} }: { cwd: string; env?: Record<string, string> }) {
    this.child = spawn(process.execPath, [BINARY, ...args], { cwd, env: cleanEnvironment(env), stdio: ["ignore", "pipe", "pipe"] });
    this.child.stdout!.setEncoding("utf8").on("data", (chunk: string) => (this.#stdout += chunk));
    this.child.stderr!.setEncoding("utf8").on("data", (chunk: string) => {
      this.#stderr += chunk;
      this.#told();
    });
    this.end = new Promise((done) => {
      this.child.on("close", (code, signal) => {
        this.#over = true;
        this.#told();
        done({ code, signal, stdout: this.#stdout, stderr: this.#stderr });
      });
    });
  }

  /** Resolves once it has said this on stderr, after what was seen before; fails when it ends without. */
  see(words: string): Promise<void> {
    return new Promise((done, fail) => {
      this.#told = () => {
        const at = this.#stderr.indexOf(words, this.#seen);
        if (at >= 0) {
          this.#seen = at + words.length;
          done();
        } else if (this.#over) fail(new Error(`ended without saying ${JSON.stringify(words)}:\n${this.#stderr}\n${this.#stdout}`));
      };
      this.#told();
    });
  }

  /** As a harness or a power cut would. */
  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.end;
  }
}
