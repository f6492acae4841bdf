import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, openSync, closeSync, readdirSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { describe, expect, it } from "vitest";

import { watchPaths } from "../../src/system/watch.ts";
import { git, temporaryFolder } from "../support/project.ts";
import { ending, start, useFolder, usePrograms } from "./programs/start.ts";

const programs = usePrograms("watch");
const folder = useFolder();
const at = (...names: string[]): string => join(folder.path, ...names);

/** So seldom that only events can be the cause. */
const NEVER = "2000000000";
const SOON = "50";

interface Line {
  reason?: string;
  texts?: string[];
  note?: string;
  pid?: number;
}

interface Waiter {
  child: ChildProcess;
  lines: Line[];
  until: (wanted: (line: Line) => boolean) => Promise<Line>;
  untilSaid: (...texts: string[]) => Promise<Line>;
  end: () => Promise<unknown>;
}

function follow(child: ChildProcess): Waiter {
  const lines: Line[] = [];
  const input = createInterface({ input: child.stdout! });
  input.on("line", (line) => lines.push(JSON.parse(line) as Line));
  const until = (wanted: (line: Line) => boolean): Promise<Line> =>
    new Promise((done, fail) => {
      const ended = (): void => fail(new Error("it ended before"));
      const check = (): void => {
        const found = lines.findIndex(wanted);
        if (found < 0) return;
        input.off("line", check).off("close", ended);
        done(lines.splice(0, found + 1).at(-1)!);
      };
      input.on("line", check).on("close", ended);
      check();
    });
  const untilSaid = (...texts: string[]): Promise<Line> => until((line) => JSON.stringify(line.texts) === JSON.stringify(texts));
  return { child, lines, until, untilSaid, end: async () => (child.stdin?.end(), ending(child)) };
}

/** A process that watches, and has looked for the first time. */
async function waiting(everyMs: string, paths: string[], failpoint = ""): Promise<Waiter> {
  const waiter = follow(start(programs("watch"), [everyMs, ...paths], failpoint));
  await waiter.until((line) => line.reason !== undefined);
  return waiter;
}

const renameSave = (path: string, text: string): void => {
  writeFileSync(`${path}~`, text);
  renameSync(`${path}~`, path);
};

describe("a saved file is looked at", () => {
  it("also when it was saved before the watcher was ready", async () => {
    const looks: string[] = [];
    const armed = watchPaths([at("form")], (reason) => looks.push(reason), { everyMs: Number(NEVER) });
    writeFileSync(at("form"), "saved in the gap");
    const watch = await armed;
    expect(looks).toEqual([]);
    await new Promise(setImmediate);
    expect(looks).toEqual(["armed"]);
    await watch.close();
  });

  it("when it is saved by rename, again and again", async () => {
    writeFileSync(at("form"), "asked");
    const waiter = await waiting(NEVER, [at("form")]);
    for (const text of ["one", "two", "three"]) {
      renameSave(at("form"), text);
      expect(await waiter.untilSaid(text)).toMatchObject({ reason: "event" });
    }
    expect(await waiter.end()).toBe(0);
  });

  it("when it is truncated and written", async () => {
    writeFileSync(at("form"), "asked");
    const waiter = await waiting(NEVER, [at("form")]);
    const handle = openSync(at("form"), "w");
    await waiter.untilSaid("");
    writeSync(handle, "ans");
    await waiter.untilSaid("ans");
    writeSync(handle, "wered");
    await waiter.untilSaid("answered");
    closeSync(handle);
    expect(await waiter.end()).toBe(0);
  });

  it("for the last time after the last of three saves in a row", async () => {
    writeFileSync(at("form"), "asked");
    const waiter = await waiting(NEVER, [at("form")]);
    for (const text of ["one", "two", "three"]) writeFileSync(at("form"), text);
    await waiter.untilSaid("three");
    for (const text of ["four", "five", "six"]) renameSave(at("form"), text);
    await waiter.untilSaid("six");
    expect(await waiter.end()).toBe(0);
  });

  it("when it appears, is deleted, and appears again", async () => {
    const waiter = await waiting(NEVER, [at("form")]);
    for (const text of ["one", "(none)", "two", "(none)"]) {
      if (text === "(none)") rmSync(at("form"));
      else writeFileSync(at("form"), text);
      await waiter.untilSaid(text);
    }
    expect(await waiter.end()).toBe(0);
  });

  it("whichever of several files in several folders it is", async () => {
    mkdirSync(at("a"));
    mkdirSync(at("b"));
    const waiter = await waiting(NEVER, [at("a/form"), at("a/logs"), at("b/form")]);
    writeFileSync(at("a/logs"), "2");
    await waiter.untilSaid("(none)", "2", "(none)");
    writeFileSync(at("b/form"), "3");
    await waiter.untilSaid("(none)", "2", "3");
    writeFileSync(at("a/form"), "1");
    await waiter.untilSaid("1", "2", "3");
    expect(await waiter.end()).toBe(0);
  });

  it("but not because of other files beside it", async () => {
    const waiter = await waiting(NEVER, [at("form")]);
    for (let i = 0; i < 20; i++) renameSave(at(`other${i}`), "other");
    writeFileSync(at("form"), "saved");
    expect(await waiter.until(() => true)).toMatchObject({ texts: ["saved"] });
    expect(await waiter.end()).toBe(0);
  });
});

describe("a folder that was removed and made again", () => {
  it("is watched again", async () => {
    mkdirSync(at("plan/forms"), { recursive: true });
    writeFileSync(at("plan/forms/form"), "asked");
    const waiter = await waiting(SOON, [at("plan/forms/form")]);
    for (let round = 1; round <= 5; round++) {
      rmSync(at("plan"), { recursive: true });
      await waiter.untilSaid("(none)");
      mkdirSync(at("plan/forms"), { recursive: true });
      await waiter.until((line) => line.reason === "armed");
      writeFileSync(at("plan/forms/form"), `round ${round}`);
      await waiter.untilSaid(`round ${round}`);
    }
    expect(await waiter.end()).toBe(0);
  });

  it("is watched again also when nobody noticed that it was gone", async () => {
    mkdirSync(at("forms"));
    writeFileSync(at("forms/form"), "asked");
    const waiter = await waiting(SOON, [at("forms/form")]);
    for (let round = 1; round <= 5; round++) {
      rmSync(at("forms"), { recursive: true });
      mkdirSync(at("forms"));
      writeFileSync(at("forms/form"), `back ${round}`);
      await waiter.until((line) => line.reason === "armed");
      writeFileSync(at("forms/form"), `round ${round}`);
      await waiter.untilSaid(`round ${round}`);
    }
    expect(await waiter.end()).toBe(0);
  });

  it("is watched as soon as it is there", async () => {
    const waiter = await waiting(SOON, [at("not/yet/form")]);
    mkdirSync(at("not/yet"), { recursive: true });
    await waiter.until((line) => line.reason === "armed");
    writeFileSync(at("not/yet/form"), "saved");
    await waiter.untilSaid("saved");
    expect(await waiter.end()).toBe(0);
  });

  it("does no harm when git stash and checkout do it", async () => {
    const root = temporaryFolder();
    const form = join(root, "forms/form");
    git(root, "init", "-q", "-b", "main");
    git(root, "commit", "-q", "--allow-empty", "-m", "first");
    mkdirSync(join(root, "forms"));
    writeFileSync(form, "asked");
    const waiter = await waiting(SOON, [form]);
    git(root, "stash", "-u", "-q");
    await waiter.untilSaid("(none)");
    git(root, "stash", "pop", "-q");
    await waiter.untilSaid("asked");
    git(root, "checkout", "-q", "-b", "other");
    git(root, "add", "forms");
    git(root, "commit", "-q", "-m", "the form");
    git(root, "checkout", "-q", "main");
    await waiter.untilSaid("(none)");
    git(root, "checkout", "-q", "other");
    await waiter.untilSaid("asked");
    writeFileSync(form, "answered");
    await waiter.untilSaid("answered");
    expect(await waiter.end()).toBe(0);
  });
});

describe("without file events", () => {
  it("saves are still seen, and the person is told once", async () => {
    const waiter = follow(start(programs("watch"), [SOON, at("form"), at("a/logs")], "watch.arm=error:ENOSPC"));
    const { note } = await waiter.until((line) => line.note !== undefined);
    expect(note).toBe("There are no file events here (ENOSPC); looking every 0.05 s instead.");
    mkdirSync(at("a"));
    writeFileSync(at("a/logs"), "logs");
    await waiter.untilSaid("(none)", "logs");
    for (const text of ["one", "two"]) {
      renameSave(at("form"), text);
      expect(await waiter.untilSaid(text, "logs")).toMatchObject({ reason: "safety" });
    }
    expect(waiter.lines.filter((line) => line.note)).toEqual([]);
    expect(await waiter.end()).toBe(0);
  });

  // A user namespace has limits of its own: nobody else on the machine is disturbed.
  const within = (limit: string, words: string[]): string[] => ["-Ur", "sh", "-c", `echo 0 > ${limit} && exec "$@"`, "sh", ...words];
  it.each([
    ["instances", "EMFILE"],
    ["watches", "ENOSPC"],
  ])("saves are still seen when inotify's limit of %s is used up", async (what, code) => {
    const limit = `/proc/sys/user/max_inotify_${what}`;
    if (!canUnshare(within(limit, ["true"]))) return void process.stderr.write("skipped: no user namespaces here\n");
    const words = within(limit, [process.execPath, programs("watch"), SOON, at("form")]);
    const waiter = follow(spawn("unshare", words, { stdio: ["pipe", "pipe", "inherit"] }));
    expect((await waiter.until((line) => line.note !== undefined)).note).toContain(code);
    await waiter.until((line) => line.reason === "trouble");
    writeFileSync(at("form"), "saved");
    expect(await waiter.untilSaid("saved")).toMatchObject({ reason: "safety" });
    expect(await waiter.end()).toBe(0);
  });
});

describe("more waiting processes than the system has watchers for", () => {
  it("all see the save", async () => {
    const limit = "/proc/sys/user/max_inotify_instances";
    const eight = 'exec 3<&0; for i in 1 2 3 4 5 6 7 8; do "$@" <&3 & done; wait';
    const words = ["-Ur", "sh", "-c", `echo 3 > ${limit}; ${eight}`, "sh", process.execPath, programs("watch"), SOON, at("form")];
    if (!canUnshare(["-Ur", "sh", "-c", `echo 3 > ${limit}`])) return void process.stderr.write("skipped: no user namespaces here\n");
    const waiters = follow(spawn("unshare", words, { stdio: ["pipe", "pipe", "inherit"] }));
    const troubled = new Set<number>();
    const seen = new Set<number>();
    const all = new Set<number>();
    await waiters.until(({ pid, reason }) => {
      if (pid && reason === "trouble") troubled.add(pid);
      return pid !== undefined && all.add(pid).size === 8;
    });
    writeFileSync(at("form"), "saved");
    await waiters.until(({ pid, texts }) => pid !== undefined && texts?.[0] === "saved" && seen.add(pid).size === 8);
    expect(seen).toEqual(all);
    expect(troubled.size).toBe(5);
    expect(await waiters.end()).toBe(0);
  });
});

function canUnshare(words: string[]): boolean {
  try {
    execFileSync("unshare", words, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe("a closed watch", () => {
  it("looks no more and keeps nothing open, whenever it is closed", async () => {
    const looks: string[] = [];
    const open = (): number => readdirSync("/proc/self/fd").length;
    const before = process.platform === "linux" ? open() : 0;
    for (const close of ["while it arms", "once armed", "upon a save"]) {
      const arming = watchPaths([at("form")], (reason) => looks.push(reason), { everyMs: 1 });
      if (close === "while it arms") await new Promise(setImmediate);
      const watch = await arming;
      if (close === "upon a save") writeFileSync(at("form"), "saved");
      looks.length = 0;
      await watch.close();
      writeFileSync(at("form"), "saved again");
      await new Promise(setImmediate);
      expect(looks).toEqual([]);
    }
    // libuv keeps one inotify handle per event loop.
    if (process.platform === "linux") expect(open()).toBeLessThanOrEqual(before + 1);
  });

  it("lets what the caller throws through", async () => {
    const thrown = new Promise((done) => process.setUncaughtExceptionCaptureCallback(done));
    const watch = await watchPaths([at("form")], () => {
      throw new Error("the caller's own");
    });
    expect(await thrown).toMatchObject({ message: "the caller's own" });
    process.setUncaughtExceptionCaptureCallback(null);
    await watch.close();
  });
});
