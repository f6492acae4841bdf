import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, watch, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

import { afterEach, describe, expect, it, vi } from "vitest";

import { withLock } from "../../src/system/lock.ts";
import { ending, killAtEachStep, start, useFolder, usePrograms } from "./programs/start.ts";

const programs = usePrograms("increment", "hold");
const folder = useFolder();
const at = (name: string): string => join(folder.path, name);
const names = (): string[] => readdirSync(folder.path).toSorted();
const nothing = async (): Promise<string> => "done";
const heldBy = (holder: RegExp): unknown =>
  expect.objectContaining({ type: "lock_held", parameters: { file: at("lock"), holder: expect.stringMatching(holder) } });

const startHolder = async (): Promise<ReturnType<typeof start>> => {
  const holder = start(programs("hold"), [at("lock")]);
  if (holder.stdout) await once(holder.stdout, "data");
  return holder;
};
const startWorker = (name: string, failpoint = "", turns = 50): ReturnType<typeof start> =>
  start(programs("increment"), [folder.path, name, String(turns)], failpoint);
const turnsOf = (name: string): number[] =>
  readFileSync(at("turns"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith(`${name} `))
    .map((line) => Number(line.split(" ")[1]));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** The process state in one letter: Z for a zombie, T for a stopped process. */
const stateOf = (pid: number | undefined): string => execFileSync("ps", ["-o", "state=", "-p", String(pid)], { encoding: "utf8" });

describe("processes that share a lock", () => {
  it("lose no step when eight of them count to fifty each", async () => {
    writeFileSync(at("counter"), "0");
    const workers = upTo(8).map((i) => startWorker(`w${i}`));
    expect(await Promise.all(workers.map(ending))).toEqual(upTo(8).map(() => 0));
    expect(readFileSync(at("counter"), "utf8")).toBe("400");
    for (const i of upTo(8)) expect(turnsOf(`w${i}`)).toEqual(upTo(50));
    expect(names()).toEqual(["counter", "turns"]);
  });

  it("lose and repeat no step when some are killed while they hold it", async () => {
    writeFileSync(at("counter"), "0");
    const killed = upTo(6).map((i) => startWorker(`killed${i}`, `#${40 + i * 23}=kill`));
    const workers = upTo(4).map((i) => startWorker(`w${i}`, "", 30));
    expect(await Promise.all(workers.map(ending))).toEqual([0, 0, 0, 0]);
    expect(await Promise.all(killed.map(ending))).toEqual(upTo(6).map(() => "SIGKILL"));
    for (const i of upTo(4)) expect(turnsOf(`w${i}`)).toEqual(upTo(30));
    for (const i of upTo(6)) expect(turnsOf(`killed${i}`)).toEqual(upTo(turnsOf(`killed${i}`).length));
  });

  it("get a dead holder's lock one after the other when all of them see it at once", async () => {
    for (const round of upTo(3)) {
      writeFileSync(at("counter"), "0");
      const holder = await startHolder();
      const workers = upTo(6).map((i) => startWorker(`r${round}w${i}`, "", 2));
      holder.kill("SIGKILL");
      expect(await Promise.all(workers.map(ending))).toEqual(upTo(6).map(() => 0));
      expect(readFileSync(at("counter"), "utf8")).toBe("12");
    }
    expect(existsSync(at("lock"))).toBe(false);
  });

  it("take turns within one process too", async () => {
    let inside = 0;
    let count = 0;
    const turn = async (): Promise<void> => {
      inside += 1;
      expect(inside).toBe(1);
      const seen = count;
      await new Promise(setImmediate);
      count = seen + 1;
      inside -= 1;
    };
    await Promise.all(upTo(20).map(() => withLock(at("lock"), turn)));
    expect(count).toBe(20);
  });
});

describe("a holder killed at any step", () => {
  it("never blocks the next one", async () => {
    writeFileSync(at("counter"), "0");
    const kills = await killAtEachStep(
      (failpoint) => startWorker("w", failpoint, 1),
      async () => expect(await withLock(at("lock"), nothing)).toBe("done"),
    );
    expect(kills).toBeGreaterThanOrEqual(7);
    expect(names().filter((name) => name.endsWith(".steal") || name === "lock")).toEqual([]);
  });

  it("never blocks the next one either if it was taking over a dead holder's lock", async () => {
    writeFileSync(at("counter"), "0");
    const leaveStale = async (): Promise<unknown> => ending(startWorker("dead", "lock.work=kill", 1));
    await leaveStale();
    const kills = await killAtEachStep(
      (failpoint) => startWorker("w", failpoint, 1),
      async () => {
        expect(await withLock(at("lock"), nothing)).toBe("done");
        await leaveStale();
      },
    );
    expect(kills).toBeGreaterThanOrEqual(14);
    expect(existsSync(at("lock.steal"))).toBe(false);
    await withLock(at("lock"), nothing);
    expect(existsSync(at("lock"))).toBe(false);
  });

  it("never blocks the next one although its parent has not noticed its death", async () => {
    // The shell becomes `cat`, which never asks for its children, so the dead holder stays as a zombie.
    const script = 'NODE_ENV=test ENVOY_FAILPOINT=lock.work=kill "$0" "$1" "$2" & exec cat';
    const parent = spawn("sh", ["-c", script, process.execPath, programs("hold"), at("lock")], { stdio: ["pipe", "ignore", "ignore"] });
    await vi.waitUntil(() => existsSync(at("lock")), { timeout: 30_000, interval: 10 });
    const { pid } = JSON.parse(readFileSync(at("lock"), "utf8")) as { pid: number };
    expect(await withLock(at("lock"), nothing)).toBe("done");
    expect(stateOf(pid)).toMatch(/^Z/);
    parent.stdin.end();
    await ending(parent);
  });
});

describe("two processes that take over the same dead holder's lock", () => {
  const leaveStaleAndStop = async (failpoint: string): Promise<ReturnType<typeof start>> => {
    const dead = start(programs("hold"), [at("lock")], "lock.work=kill");
    expect(await ending(dead)).toBe("SIGKILL");
    const taker = start(programs("hold"), [at("lock")], `${failpoint}=stop`);
    await vi.waitUntil(() => stateOf(taker.pid).startsWith("T"), { timeout: 30_000, interval: 10 });
    return taker;
  };
  const resumeAndFinish = async (taker: ReturnType<typeof start>): Promise<void> => {
    taker.kill("SIGCONT");
    taker.stdin?.end();
    expect(await ending(taker)).toBe(0);
    expect(names()).toEqual([]);
  };

  it("wait for each other if one is suspended just before it removes that lock", async () => {
    const taker = await leaveStaleAndStop("lock.steal");
    const held = {
      type: "lock_held",
      parameters: { file: at("lock.steal"), holder: expect.stringMatching(`^process ${taker.pid} since`) },
    };
    await expect(withLock(at("lock"), nothing, { patienceMs: 300 })).rejects.toMatchObject(held);
    await resumeAndFinish(taker);
  });

  it("never remove the lock that the faster one has made since", async () => {
    const taker = await leaveStaleAndStop("lock.claim");
    await withLock(at("lock"), async (lock) => {
      const claimed = new Promise<void>((resolve) => {
        const watcher = watch(folder.path, (_event, name) => {
          if (name !== "lock.steal") return;
          watcher.close();
          resolve();
        });
      });
      taker.kill("SIGCONT");
      await claimed;
      await vi.waitUntil(() => !existsSync(at("lock.steal")), { timeout: 30_000, interval: 5 });
      await expect(lock.assertHeld()).resolves.toBeUndefined();
    });
    await resumeAndFinish(taker);
  });
});

describe("a living holder", () => {
  it("keeps the lock while it is suspended, and gives it back when it wakes", async () => {
    const holder = await startHolder();
    holder.kill("SIGSTOP");
    await expect(withLock(at("lock"), nothing, { patienceMs: 400 })).rejects.toEqual(heldBy(new RegExp(`^process ${holder.pid} since`)));
    expect(JSON.parse(readFileSync(at("lock"), "utf8"))).toMatchObject({ pid: holder.pid });
    holder.kill("SIGCONT");
    holder.stdin?.end();
    expect(await withLock(at("lock"), nothing)).toBe("done");
    expect(await ending(holder)).toBe(0);
    expect(names()).toEqual([]);
  });

  it("learns from assertHeld that a person removed its lock, and leaves the next holder's alone", async () => {
    await withLock(at("lock"), async (lock) => {
      await lock.assertHeld();
      rmSync(at("lock"));
      await expect(lock.assertHeld()).rejects.toEqual(heldBy(/nobody/));
      writeFileSync(at("lock"), "someone else's");
    });
    expect(readFileSync(at("lock"), "utf8")).toBe("someone else's");
  });

  it("gives the lock back when its work fails, and the reason is the work's", async () => {
    const fail = async (): Promise<void> => {
      throw new Error("the work's reason");
    };
    await expect(withLock(at("lock"), fail)).rejects.toThrow("the work's reason");
    expect(names()).toEqual([]);
  });
});

describe("a lock that was found", () => {
  const plant = async (changes: Record<string, unknown>): Promise<void> => {
    const mine = await withLock(at("lock"), async () => JSON.parse(readFileSync(at("lock"), "utf8")) as Record<string, unknown>);
    writeFileSync(at("lock"), JSON.stringify({ ...mine, nonce: "0".repeat(32), ...changes }));
  };
  const tryIt = (): Promise<string> => withLock(at("lock"), nothing, { patienceMs: 250 });

  it("is taken over if its process number belongs to another process by now", async () => {
    await plant({ started: "1" });
    expect(await tryIt()).toBe("done");
  });

  it("is taken over if this machine was started anew since", async () => {
    await plant({ boot: "an-earlier-boot", namespace: "another" });
    expect(await tryIt()).toBe("done");
  });

  it("is never taken over from another machine, but named", async () => {
    await plant({ boot: "another-boot", host: `not-${hostname()}`, pid: 2 ** 22 + 1 });
    await expect(tryIt()).rejects.toEqual(heldBy(/^process 4194305 on the machine "not-/));
    expect(existsSync(at("lock"))).toBe(true);
  });

  it("is never taken over from another container of this machine, but named", async () => {
    await plant({ namespace: "pid:[1]", pid: 2 ** 22 + 1 });
    await expect(tryIt()).rejects.toEqual(heldBy(/^process 4194305 in another container/));
    expect(existsSync(at("lock"))).toBe(true);
  });

  it.each(["", "{}", "null", "no JSON", '{"pid":-1}'])("is left alone if nobody knows whose it is: %j", async (text) => {
    writeFileSync(at("lock"), text);
    await expect(tryIt()).rejects.toEqual(heldBy(/unreadable/));
    expect(readFileSync(at("lock"), "utf8")).toBe(text);
  });

  it("is refused if it is a link", async () => {
    symlinkSync(at("victim"), at("lock"));
    await expect(tryIt()).rejects.toMatchObject({ type: "unsafe_path" });
    expect(names()).toEqual(["lock"]);
  });
});

describe("a failing disk", () => {
  afterEach(() => {
    delete process.env["ENVOY_FAILPOINT"];
  });

  it.each(["ENOSPC", "EACCES", "EROFS", "EIO"])("leaves no lock behind and says why: %s", async (code) => {
    for (const step of ["lock.prepare", "lock.fill", "lock.link", "lock.tidy"]) {
      process.env["ENVOY_FAILPOINT"] = `${step}=error:${code}`;
      await expect(withLock(at("lock"), nothing)).rejects.toMatchObject({ type: "io_failed", parameters: { code, path: at("lock") } });
      expect(names()).toEqual([]);
    }
  });

  it("is named when there is no folder for the lock", async () => {
    await expect(withLock(at("no/lock"), nothing)).rejects.toMatchObject({ type: "io_failed", parameters: { code: "ENOENT" } });
  });
});
