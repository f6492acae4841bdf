import { appendFileSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { appendToFile, finishAppend, noteOf } from "../../src/system/append-file.ts";
import { writeFileAtomic } from "../../src/system/atomic-file.ts";
import { killAtEachStep, start, useFolder, usePrograms } from "./programs/start.ts";

const programs = usePrograms("write");
const folder = useFolder();
const at = (name: string): string => join(folder.path, name);
const file = () => at("file");
const text = () => readFileSync(file(), "utf8");
const names = () => readdirSync(folder.path).filter((name) => !/^\.envoy-.*\.tmp$/.test(name));

describe("what is added to a file", () => {
  it("stands there once, wherever the process is killed, and nothing else changes", async () => {
    writeFileSync(file(), "old");
    const seen = new Set<string>();
    const kills = await killAtEachStep(
      (failpoint) => start(programs("write"), ["append", file(), "+new"], failpoint),
      async () => {
        seen.add(text());
        await finishAppend(file());
        expect(text()).toBeOneOf(["old", "old+new"]);
        expect(names()).toEqual(["file"]);
        await finishAppend(file());
        await writeFileAtomic(file(), "old");
      },
    );
    expect(kills).toBeGreaterThan(10);
    expect([...seen]).toEqual(["old", "old+new"]);
  });

  it("stays where the file lies: the same file, for whoever follows it", async () => {
    writeFileSync(file(), "old", { mode: 0o640 });
    const before = statSync(file());
    await appendToFile(file(), "+new");
    expect(text()).toBe("old+new");
    expect(statSync(file())).toMatchObject({ ino: before.ino, mode: before.mode });
  });
});

describe("an addition that was noted and not finished", () => {
  const noted = (from: number, what: string) => writeFileSync(noteOf(file()), JSON.stringify({ from, text: what }));

  it.each([
    ["nothing of it was written", ""],
    ["a part of it was written", "+n"],
    ["a part of it, and blocks that the disk never got", "+n\0\0"],
    ["all of it was written", "+new"],
  ])("is finished where %s", async (_what, part) => {
    writeFileSync(file(), `old${part}`);
    noted(3, "+new");
    await finishAppend(file());
    expect(text()).toBe("old+new");
    expect(names()).toEqual(["file"]);
  });

  it("is finished first by the next addition", async () => {
    writeFileSync(file(), "old+");
    noted(3, "+new");
    await appendToFile(file(), "+more");
    expect(text()).toBe("old+new+more");
  });

  it("takes nothing away that somebody has written since", async () => {
    writeFileSync(file(), "old");
    noted(3, "+new");
    appendFileSync(file(), "+theirs");
    await finishAppend(file());
    expect(text()).toBe("old+theirs+new");
    writeFileSync(file(), "+new, edited by a person");
    noted(300, "+new");
    await finishAppend(file());
    expect(text()).toBe("+new, edited by a person");
    truncateSync(file(), 2);
    noted(3, "+new");
    await finishAppend(file());
    expect(text()).toBe("+n+new");
  });

  it("is named where the note is damaged, and kept", async () => {
    writeFileSync(file(), "old");
    for (const damage of ["{", "null", '{"from":-1,"text":"x"}', '{"from":1}']) {
      writeFileSync(noteOf(file()), damage);
      await expect(appendToFile(file(), "x")).rejects.toMatchObject({ type: "invalid_file" });
      expect(readFileSync(noteOf(file()), "utf8")).toBe(damage);
    }
  });
});

describe("a failing disk", () => {
  afterEach(() => {
    delete process.env["ENVOY_FAILPOINT"];
  });

  it.each(["ENOSPC", "EACCES", "EROFS", "EIO"])("keeps the old content and leaves no note: %s", async (code) => {
    writeFileSync(file(), "old");
    for (const step of ["write.open", "write.data", "write.sync", "append.open", "append.write", "append.sync"]) {
      process.env["ENVOY_FAILPOINT"] = `${step}=error:${code}`;
      await expect(appendToFile(file(), "+new")).rejects.toMatchObject({ type: "io_failed", parameters: { code } });
      expect([names(), text()]).toEqual([["file"], "old"]);
    }
  });
});
