import { chmodSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";

import { makeFolder, moveFile, readFileSafe, removeFile, removeLeftovers, writeFileAtomic } from "../../src/system/atomic-file.ts";
import { appendToFile } from "../../src/system/append-file.ts";
import { ending, killAtEachStep, start, useFolder, usePrograms } from "./programs/start.ts";

const programs = usePrograms("write", "rewrite");
const folder = useFolder();
const at = (name: string): string => join(folder.path, name);
const read = async (name: string): Promise<string | undefined> =>
  (await readFileSafe(folder.path, name, { maxBytes: 1_000_000 }))?.toString();
const names = (): string[] => readdirSync(folder.path).toSorted();

describe("a file", () => {
  it("holds exactly what was written and added last, whatever the bytes", async () => {
    const bytes = fc.uint8Array({ maxLength: 2000 }).map((array) => Buffer.from(array));
    const change = fc.record({ act: fc.constantFrom("write", "append", "create", "remove" as const), bytes });
    const acts = {
      write: (data: Buffer) => writeFileAtomic(at("file"), data),
      append: (data: Buffer) => appendToFile(at("file"), data.toString("latin1")),
      create: (data: Buffer) => writeFileAtomic(at("file"), data, { ifAbsent: true }),
      remove: () => removeFile(at("file")),
    };
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
        await removeFile(at("file"));
        let expected: Buffer | undefined;
        for (const { act, bytes: data } of changes) {
          const told = { write: true, append: undefined, create: expected === undefined, remove: expected !== undefined };
          expect(await acts[act](data)).toBe(told[act]);
          if (act === "write" || (act === "create" && !expected)) expected = data;
          else if (act === "append") expected = Buffer.concat([expected ?? Buffer.alloc(0), Buffer.from(data.toString("latin1"))]);
          else if (act === "remove") expected = undefined;
          expect(await readFileSafe(folder.path, "file", { maxBytes: 20_000 })).toEqual(expected);
        }
        expect(names()).toEqual(expected ? ["file"] : []);
      }),
      { numRuns: 60 },
    );
  });

  it("is private unless told otherwise, and keeps its mode when text is added", async () => {
    await writeFileAtomic(at("private"), "x");
    await writeFileAtomic(at("open"), "x", { mode: 0o644 });
    chmodSync(at("open"), 0o640);
    await appendToFile(at("open"), "y");
    await appendToFile(at("added"), "y");
    expect(["private", "open", "added"].map((name) => statSync(at(name)).mode & 0o777)).toEqual([0o600, 0o640, 0o600]);
  });

  it("is given to exactly one of many that make the name at once", async () => {
    const made = await Promise.all(Array.from({ length: 20 }, (_, i) => writeFileAtomic(at("file"), String(i), { ifAbsent: true })));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await read("file")).toBe(String(made.indexOf(true)));
    expect(names()).toEqual(["file"]);
  });

  it("is refused above the size limit and absent where there is none", async () => {
    await writeFileAtomic(at("file"), "12345");
    expect(String(await readFileSafe(folder.path, "file", { maxBytes: 5 }))).toBe("12345");
    await expect(readFileSafe(folder.path, "file", { maxBytes: 4 })).rejects.toMatchObject({ type: "invalid_file" });
    expect(await read("no/such/file")).toBeUndefined();
  });

  it("is not written where there is no folder, and the error says why", async () => {
    await expect(writeFileAtomic(at("no/file"), "x")).rejects.toMatchObject({
      type: "io_failed",
      parameters: { code: "ENOENT", path: at("no/file") },
    });
    await expect(appendToFile(at("no/file"), "x")).rejects.toMatchObject({ type: "io_failed", parameters: { code: "ENOENT" } });
  });

  it("is never written through a planted temporary name, and leftovers go without their target", async () => {
    writeFileSync(at("victim"), "victim");
    symlinkSync(at("victim"), at(`.envoy-${"a".repeat(24)}.tmp`));
    await writeFileAtomic(at("file"), "x");
    await removeLeftovers(folder.path);
    expect(names()).toEqual(["file", "victim"]);
    expect(readFileSync(at("victim"), "utf8")).toBe("victim");
  });
});

describe("moving a file", () => {
  it("never replaces another file", async () => {
    await writeFileAtomic(at("from"), "one");
    await writeFileAtomic(at("to"), "other");
    expect(await moveFile(at("from"), at("to"))).toBe(false);
    expect([await read("from"), await read("to")]).toEqual(["one", "other"]);
  });

  it("onto itself changes nothing, and what is not there cannot be moved", async () => {
    await writeFileAtomic(at("from"), "one");
    expect(await moveFile(at("from"), at("./from"))).toBe(true);
    expect(await read("from")).toBe("one");
    await expect(moveFile(at("nothing"), at("to"))).rejects.toMatchObject({ type: "io_failed", parameters: { code: "ENOENT" } });
  });

  it("is finished by moving again after a kill half-way", async () => {
    await writeFileAtomic(at("from"), "one");
    linkSync(at("from"), at("to"));
    expect(await moveFile(at("from"), at("to"))).toBe(true);
    expect(names()).toEqual(["to"]);
    expect(await read("to")).toBe("one");
  });
});

describe("a writer killed at any step", () => {
  const run =
    (...words: string[]) =>
    (failpoint: string) =>
      start(programs("write"), words, failpoint);

  it("leaves the old or the new content whole when it replaces a file", async () => {
    await writeFileAtomic(at("file"), "old");
    const seen = new Set<string | undefined>();
    const kills = await killAtEachStep(run("write", at("file"), "new"), async () => {
      seen.add(await read("file"));
      await writeFileAtomic(at("file"), "old");
    });
    expect(kills).toBe(6);
    expect([...seen]).toEqual(["old", "new"]);
    await removeLeftovers(folder.path);
    expect(names()).toEqual(["file"]);
  });

  it("leaves nothing or the whole file, still readable, when it makes a name if absent", async () => {
    const seen = new Set<string | undefined>();
    const kills = await killAtEachStep(run("create", at("file"), "new"), async () => {
      seen.add(await read("file"));
      await removeFile(at("file"));
    });
    expect(kills).toBe(7);
    expect([...seen]).toEqual([undefined, "new"]);
  });

  it("loses no byte when it moves a file, and moving again finishes", async () => {
    await writeFileAtomic(at("from"), "bytes");
    const kills = await killAtEachStep(run("move", at("from"), at("to")), async () => {
      if (existsSync(at("from"))) await moveFile(at("from"), at("to"));
      expect(names()).toEqual(["to"]);
      expect(await read("to")).toBe("bytes");
      await moveFile(at("to"), at("from"));
    });
    expect(kills).toBe(4);
  });

  it("can be run again when it removes a file or makes folders", async () => {
    await killAtEachStep(run("remove", at("file")), async () => void (await writeFileAtomic(at("file"), "x")));
    const kills = await killAtEachStep(run("folder", folder.path, "a/b"), () => makeFolder(folder.path, "a"));
    expect(kills).toBeGreaterThanOrEqual(2);
    expect(statSync(at("a/b")).isDirectory()).toBe(true);
  });
});

describe("a reader", () => {
  it("never sees a torn file while another process replaces it", async () => {
    const length = 200_000;
    await writeFileAtomic(at("file"), "a".repeat(length));
    const writer = start(programs("rewrite"), [at("file"), String(length), "150"]);
    const ended = ending(writer);
    while (writer.exitCode === null && writer.signalCode === null) {
      const text = (await read("file")) ?? "";
      expect(text.length).toBe(length);
      expect(text === "a".repeat(length) || text === "b".repeat(length)).toBe(true);
    }
    expect(await ended).toBe(0);
  });
});

describe("a failing disk", () => {
  afterEach(() => {
    delete process.env["ENVOY_FAILPOINT"];
  });
  const codes = ["ENOSPC", "EACCES", "EROFS", "EIO"];
  const failing = (step: string, code: string, act: () => Promise<unknown>): Promise<void> => {
    process.env["ENVOY_FAILPOINT"] = `${step}=error:${code}`;
    return expect(act()).rejects.toMatchObject({ type: "io_failed", parameters: { code } });
  };

  it.each(codes)("keeps the old content and leaves no temporary file: %s", async (code) => {
    await writeFileAtomic(at("file"), "old");
    for (const step of ["write.open", "write.data", "write.sync", "write.rename"]) {
      await failing(step, code, () => writeFileAtomic(at("file"), "new"));
      expect([names(), await read("file")]).toEqual([["file"], "old"]);
    }
    for (const step of ["write.open", "write.data", "write.sync", "write.link"]) {
      await failing(step, code, () => writeFileAtomic(at("made"), "new", { ifAbsent: true }));
      expect(names()).toEqual(["file"]);
    }
  });

  it.each(codes)("leaves the new content whole if only the folder could not be synced: %s", async (code) => {
    await writeFileAtomic(at("file"), "old");
    await failing("write.sync-folder", code, () => writeFileAtomic(at("file"), "new"));
    expect([names(), await read("file")]).toEqual([["file"], "new"]);
    await failing("write.unlink", code, () => writeFileAtomic(at("made"), "new", { ifAbsent: true }));
    expect([names(), await read("made")]).toEqual([["file", "made"], "new"]);
  });

  it.each(codes)("keeps a file that could not be removed or moved: %s", async (code) => {
    await writeFileAtomic(at("file"), "old");
    mkdirSync(at("archive"));
    await failing("remove.unlink", code, () => removeFile(at("file")));
    await failing("move.link", code, () => moveFile(at("file"), at("archive/file")));
    expect(await read("file")).toBe("old");
    await failing("move.unlink", code, () => moveFile(at("file"), at("archive/file")));
    delete process.env["ENVOY_FAILPOINT"];
    expect(await moveFile(at("file"), at("archive/file"))).toBe(true);
    expect(await read("archive/file")).toBe("old");
    await failing("folder.make", code, () => makeFolder(folder.path, "new"));
    expect(names()).toEqual(["archive"]);
  });
});

describe("failpoints", () => {
  it("do nothing outside tests", async () => {
    const { NODE_ENV } = process.env;
    process.env["NODE_ENV"] = "production";
    process.env["ENVOY_FAILPOINT"] = "write.open=error:EIO";
    try {
      expect(await writeFileAtomic(at("file"), "x")).toBe(true);
    } finally {
      process.env["NODE_ENV"] = NODE_ENV;
      delete process.env["ENVOY_FAILPOINT"];
    }
  });

  it("are named when the setting is not understood", async () => {
    process.env["ENVOY_FAILPOINT"] = "write.open=explode";
    try {
      await expect(writeFileAtomic(at("file"), "x")).rejects.toThrow("ENVOY_FAILPOINT");
    } finally {
      delete process.env["ENVOY_FAILPOINT"];
    }
  });
});
