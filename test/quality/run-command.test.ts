import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { excerptOf, readOutput } from "../../src/system/captured-output.ts";
import { type CommandRun, runCommand } from "../../src/system/run-command.ts";
import { isSecretName, redact } from "../../src/system/secrets.ts";
import { isAlive } from "../support/processes.ts";
import { temporaryFolder } from "../support/project.ts";

const newRun = (command: string, more: Partial<CommandRun> = {}): CommandRun => {
  const cwd = temporaryFolder();
  return { command, cwd, timeoutMs: 30_000, stdout: join(cwd, "output.log"), ...more };
};
const output = ({ stdout }: CommandRun) => readFileSync(stdout, "utf8");

/** Resolves when a process has written its number to the file. */
const written = (folder: string, name: string): Promise<number> =>
  new Promise((resolve) => {
    const file = join(folder, name);
    const look = () => {
      if (!existsSync(file) || statSync(file).size === 0) return;
      watcher.close();
      resolve(Number(readFileSync(file, "utf8")));
    };
    const watcher = watch(folder, look);
    look();
  });

describe("what a command says", () => {
  it.each([
    ["true", 0],
    ["echo '0 errors'", 0],
    ["echo '3 errors'; exit 1", 1],
    ["exit 125", 125],
    ["exit 255", 255],
    ["false || (exit 7)", 7],
    [`test "a b" = 'a b' && test -n "x  y"`, 0],
    ["printf '%s' ok | grep -q ok && exit 3", 3],
  ])("%s is its verdict %d", async (command, code) => {
    expect(await runCommand(newRun(command))).toEqual({ kind: "exited", code });
  });

  it("runs in its directory, reads what it is given, and keeps both outputs in order", async () => {
    const run = newRun("pwd; cat; echo warned >&2; echo last", { stdin: "the diff\n" });
    await runCommand(run);
    expect(output(run)).toBe(`${run.cwd}\nthe diff\nwarned\nlast\n`);
    expect(statSync(run.stdout).mode & 0o777).toBe(0o600);
  });

  it("keeps stderr apart where it has a file of its own", async () => {
    const run = newRun("echo answer; echo progress >&2");
    await runCommand({ ...run, stderr: join(run.cwd, "err.log") });
    expect(output(run)).toBe("answer\n");
    expect(readFileSync(join(run.cwd, "err.log"), "utf8")).toBe("progress\n");
  });

  it("does not mind a command that never reads a long input", async () => {
    expect(await runCommand(newRun("exit 0", { stdin: "x".repeat(1_000_000) }))).toEqual({ kind: "exited", code: 0 });
  });

  it("keeps an output larger than memory should hold, whole on disk", async () => {
    const run = newRun("yes 'a line of output' | head -c 60000000; echo; echo 1 failed >&2; exit 1");
    expect(await runCommand(run)).toEqual({ kind: "exited", code: 1 });
    const { text, bytes, cut } = await excerptOf(run.stdout, { maxBytes: 4000 });
    expect({ bytes, cut }).toEqual({ bytes: 60_000_010, cut: true });
    expect(text.length).toBeLessThan(4300);
    expect(text).toMatch(/^a line of output\n/);
    expect(text).toContain(`the whole output: ${run.stdout}`);
    expect(text.trimEnd().endsWith("1 failed")).toBe(true);
    expect(await readOutput(run.stdout, 1000)).toBeUndefined();
  });
});

describe("what befalls a command", () => {
  it("tells a missing program from a failing one", async () => {
    const outcome = await runCommand(newRun("no-such-program --flag"));
    expect(outcome).toMatchObject({ kind: "cannot_start", reason: expect.stringContaining("no-such-program") });
  });

  it("tells a file that cannot be executed", async () => {
    const run = newRun("./script");
    writeFileSync(join(run.cwd, "script"), "#!/bin/sh\n", { mode: 0o600 });
    expect(await runCommand(run)).toMatchObject({ kind: "cannot_start", reason: expect.stringContaining("executed") });
  });

  it("names a directory that is gone", async () => {
    const run = newRun("true");
    const outcome = await runCommand({ ...run, cwd: join(run.cwd, "gone") });
    expect(outcome).toEqual({ kind: "cannot_start", reason: `the directory ${join(run.cwd, "gone")} is not there` });
  });

  it.each([
    ["kill -KILL $$", "SIGKILL"],
    ["kill -TERM $$", "SIGTERM"],
    ["sh -c 'kill -SEGV $$'; exit $?", "SIGSEGV"],
  ])("%s was killed", async (command, signal) => {
    expect(await runCommand(newRun(command))).toEqual({ kind: "killed", signal });
  });

  it.each([
    ["a child in its group", "sh -c 'echo $$ > pid; exec sleep 1000' & wait"],
    ["one that set itself apart", "setsid sh -c 'echo $$ > pid; exec sleep 1000' & wait"],
    ["one that set itself apart and lost its parent", "(setsid sh -c 'echo $$ > pid; exec sleep 1000' &) ; sleep 1000"],
    ["one that dropped its environment", "env -i setsid sh -c 'echo $$ > pid; exec sleep 1000'; wait"],
    [
      "one that dropped its environment and will not listen",
      "env -i setsid sh -c 'trap \"\" TERM; echo $$ > pid; while :; do sleep 1000; done'; wait",
    ],
    ["a child of one that dropped its environment", `env -i setsid sh -c "setsid sh -c 'echo \\$\\$ > pid; exec sleep 1000' & wait"; wait`],
    ["one that will not listen", "setsid sh -c 'trap \"\" TERM; echo $$ > pid; while :; do sleep 1000; done' & wait"],
  ])("ends %s when time is up", async (_, command) => {
    const run = newRun(command);
    const abort = new AbortController();
    const outcome = runCommand({ ...run, signal: abort.signal, graceMs: 100 });
    const pid = await written(run.cwd, "pid");
    expect(isAlive(pid)).toBe(true);
    abort.abort();
    expect(await outcome).toEqual({ kind: "aborted" });
    expect(isAlive(pid)).toBe(false);
  });

  it("says that time was up, with all of it gone", async () => {
    const run = newRun("setsid sh -c 'echo $$ > pid; exec sleep 1000' & wait", { timeoutMs: 1000 });
    expect(await runCommand(run)).toEqual({ kind: "timed_out" });
    const pid = join(run.cwd, "pid");
    expect(existsSync(pid) && isAlive(Number(readFileSync(pid, "utf8")))).toBe(false);
  });

  it("leaves processes of others alone", async () => {
    const other = spawn("sleep", ["1000"], { stdio: "ignore" });
    await runCommand(newRun("sleep 1000", { timeoutMs: 50 }));
    expect(isAlive(other.pid!)).toBe(true);
    other.kill();
  });

  it("does not start what was called off before", async () => {
    const run = newRun("touch started", { signal: AbortSignal.abort() });
    expect(await runCommand(run)).toEqual({ kind: "aborted" });
    expect(existsSync(join(run.cwd, "started"))).toBe(false);
  });

  it("lets a finished command's own service run on", async () => {
    const run = newRun("sh -c 'echo $$ > pid; exec sleep 1000' > /dev/null 2>&1 & while ! test -s pid; do sleep 0.01; done");
    expect(await runCommand(run)).toEqual({ kind: "exited", code: 0 });
    const pid = await written(run.cwd, "pid");
    expect(isAlive(pid)).toBe(true);
    process.kill(pid, "SIGKILL");
  });
});

describe("secrets", () => {
  const env = { GITHUB_TOKEN: "ghp_abcdef123456", DB_PASSWORD: "hunter22", API_KEY: "ghp_abc", HOME: "/home/me", CI_SECRET: "1" };

  it("does not show them in what a command printed", async () => {
    const run = newRun('echo "token $GITHUB_TOKEN pw=$DB_PASSWORD home $HOME"', { env: { ...process.env, ...env } });
    await runCommand(run);
    const { text } = await excerptOf(run.stdout, { env });
    expect(text).toBe("token [GITHUB_TOKEN hidden] pw=[DB_PASSWORD hidden] home /home/me\n");
  });

  it("hides passwords in addresses, and keys line by line", () => {
    const key = "-----BEGIN-----\nMIIEvAIBADAN\n-----END-----";
    expect(redact("postgres://me:pa55@db/x MIIEvAIBADAN", { PRIVATE_KEY: key })).toBe("postgres://me:[hidden]@db/x [PRIVATE_KEY hidden]");
  });

  it.each(["NPM_TOKEN", "AWS_SECRET_ACCESS_KEY", "MYSQL_PWD_PASSWORD", "OPENAI_API_KEY", "SSH_PASSPHRASE", "PGPASS", "npm_config__auth"])(
    "takes %s for one",
    (name) => expect(isSecretName(name)).toBe(true),
  );
  it.each(["PATH", "HOME", "LANG", "PASSENGER", "AUTHOR", "KEYBOARD"])("does not take %s for one", (name) =>
    expect(isSecretName(name)).toBe(false),
  );

  it("never leaves a whole secret in a cut text, wherever it stood", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "o"));
    let n = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(900), fc.nat(900), async (before, after) => {
        const file = join(folder, "o", `${n++}`);
        writeFileSync(file, `${"x".repeat(before)}ghp_abcdef123456${"y".repeat(after)}`);
        const { text } = await excerptOf(file, { maxBytes: 200, env });
        expect(text).not.toMatch(/ghp_|abcdef|123456y/);
      }),
      { numRuns: 60 },
    );
  });
});

describe("cutting an output", () => {
  it("shows it as it stood on the terminal", async () => {
    const run = newRun(String.raw`printf '\033[31mred\033[0m\r\n 10%%\r100%%\n\033]0;title\007bell\007\n'`);
    await runCommand(run);
    expect((await excerptOf(run.stdout)).text).toBe("red\n100%\nbell\\u{7}\n");
  });
});
