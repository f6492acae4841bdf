import { spawn, spawnSync } from "node:child_process";
import { cleanEnvironment } from "./envoy.ts";

/** A program on a terminal of its own, as a person uses it. */
export interface Terminal {
  /** Types keys; resolves once the screen has shown this since. */
  types: (keys: string, shown: RegExp) => Promise<void>;
  /** Ends what still runs. */
  close: () => Promise<void>;
  end: Promise<number | null>;
}

export const hasProgram = (name: string): boolean => spawnSync("sh", ["-c", `command -v ${name}`]).status === 0;

export async function openTerminal(command: string, { cwd, shown }: { cwd: string; shown: RegExp }): Promise<Terminal> {
  // Made by `script`; its size is that of no window at all unless it is set.
  const child = spawn("script", ["-qec", `stty rows 60 cols 160; exec ${command}`, "/dev/null"], {
    cwd,
    env: cleanEnvironment({ TERM: "xterm", LANG: "C.UTF-8" }),
    stdio: ["pipe", "pipe", "inherit"],
  });
  let screen = "";
  let ended = false;
  let look = () => {};
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    screen += chunk;
    look();
  });
  const end = new Promise<number | null>((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => {
      ended = true;
      look();
      done(code);
    });
  });
  const sees = (pattern: RegExp) =>
    new Promise<void>((done, fail) => {
      look = () => {
        if (pattern.test(screen)) done();
        else if (ended) fail(new Error(`${command} ended without showing ${pattern}: ${screen}`));
      };
      look();
    });
  await sees(shown);
  return {
    types(keys, pattern) {
      screen = "";
      child.stdin.write(keys);
      return sees(pattern);
    },
    async close() {
      child.kill("SIGKILL");
      await end;
    },
    end,
  };
}
