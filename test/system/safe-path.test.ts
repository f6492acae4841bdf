import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { linkSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve, sep } from "node:path";

import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";

import { EnvoyError } from "../../schemas/errors.ts";
import { appendToFile } from "../../src/system/append-file.ts";
import { makeFolder, moveFile, readFileSafe, removeFile, writeFileAtomic } from "../../src/system/atomic-file.ts";
import { resolveInside } from "../../src/system/safe-path.ts";
import { useFolder } from "./programs/start.ts";

const folder = useFolder();
const at = (...names: string[]): string => join(folder.path, ...names);
const read = (path: string): Promise<Buffer | undefined> => readFileSafe(folder.path, path, { maxBytes: 100 });
const unsafe = (kind: string | RegExp): unknown =>
  expect.objectContaining({ type: "unsafe_path", parameters: expect.objectContaining({ kind: expect.stringMatching(kind) }) });

function resolveOrRefuse(path: string): string {
  try {
    return resolveInside("/some/root", path);
  } catch (error) {
    if (error instanceof EnvoyError) return error.type;
    throw error;
  }
}

describe("paths below a root", () => {
  it("lets no path out of the root", () => {
    const piece = fc.oneof(fc.constantFrom("..", ".", "/", "a", "..a", "a..", ""), fc.string());
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const path = pieces.join("/");
        const inside = resolve("/some/root", path).startsWith(`${resolve("/some/root")}${sep}`) && !path.includes("\0");
        expect(resolveOrRefuse(path)).toBe(inside ? resolve("/some/root", path) : "unsafe_path");
      }),
    );
  });

  it.each(["..", ".", "", "../other", "a/../..", "/etc/passwd", "../root-of-another", "a\0b"])("refuses %j", (path) => {
    expect(() => resolveInside("/some/root", path)).toThrow(expect.objectContaining({ type: "unsafe_path" }));
  });

  it("takes names that only look like a way out", () => {
    expect(resolveInside("/some/root", "..a/...")).toBe("/some/root/..a/...");
    expect(resolveInside("/some/root", "/some/root/a")).toBe("/some/root/a");
  });
});

describe("what stands in place of a file", () => {
  beforeEach(() => {
    writeFileSync(at("victim"), "victim");
  });

  const plant: Record<string, (path: string) => unknown> = {
    "a symbolic link": (path) => symlinkSync(at("victim"), path),
    "a symbolic link that leads nowhere": (path) => symlinkSync(at("nothing"), path),
    "a pipe": (path) => execFileSync("mkfifo", [path]),
    "a folder": (path) => mkdirSync(path),
    "a hard link": (path) => linkSync(at("victim"), path),
  };
  const cases = Object.keys(plant).map((name) => [name, name.replace(" that leads nowhere", "")] as const);

  it.each(cases)("is refused if it is %s, and left as it is", async (name, kind) => {
    plant[name]?.(at("form"));
    await expect(read("form")).rejects.toEqual(unsafe(kind));
    await expect(writeFileAtomic(at("form"), "x")).rejects.toEqual(unsafe(kind));
    await expect(writeFileAtomic(at("form"), "x", { ifAbsent: true })).rejects.toEqual(unsafe(kind));
    await expect(appendToFile(at("form"), "x")).rejects.toEqual(unsafe(kind));
    await expect(removeFile(at("form"))).rejects.toEqual(unsafe(kind));
    await expect(moveFile(at("form"), at("elsewhere"))).rejects.toEqual(unsafe(kind));
    expect(readFileSync(at("victim"), "utf8")).toBe("victim");
  });

  it("is refused if it is a device", async () => {
    await expect(readFileSafe("/dev", "null", { maxBytes: 1 })).rejects.toEqual(unsafe("a device"));
    await expect(writeFileAtomic("/dev/null", "x")).rejects.toEqual(unsafe("a device"));
  });

  it("is refused if it is a socket", async () => {
    const server = createServer().listen(at("form"));
    await once(server, "listening");
    await expect(read("form")).rejects.toEqual(unsafe("a socket"));
    server.close();
    await once(server, "close");
  });

  it("is refused if a hard link hides behind a name like envoy's temporary ones", async () => {
    linkSync(at("victim"), at("form"));
    linkSync(at("victim"), at(`.envoy-${"0".repeat(24)}.tmp`));
    await expect(read("form")).rejects.toEqual(unsafe("a hard link"));
  });
});

describe("folders", () => {
  it("are made private, with those on the way, and again without complaint", async () => {
    await makeFolder(folder.path, "a/b/c");
    await makeFolder(folder.path, "a/b/c");
    for (const path of ["a", "a/b", "a/b/c"]) expect(statSync(at(path)).mode & 0o777).toBe(0o700);
  });

  it("are made by several at once", async () => {
    await Promise.all(Array.from({ length: 10 }, (_, i) => makeFolder(folder.path, `a/b/${i % 3}`)));
    expect(statSync(at("a/b/2")).isDirectory()).toBe(true);
  });

  it("are refused if a link or a file stands on the way, in the middle or at the end", async () => {
    mkdirSync(at("real"));
    writeFileSync(at("real/form"), "x");
    symlinkSync(at("real"), at("linked"));
    await expect(read("linked/form")).rejects.toEqual(unsafe("a symbolic link"));
    await expect(makeFolder(folder.path, "linked/sub")).rejects.toEqual(unsafe("a symbolic link"));
    await expect(makeFolder(folder.path, "linked")).rejects.toEqual(unsafe("a symbolic link"));
    await expect(makeFolder(folder.path, "real/form/sub")).rejects.toEqual(unsafe("a file"));
    await expect(read("real/form/sub")).rejects.toEqual(unsafe("a file"));
    await expect(makeFolder(folder.path, "../sibling")).rejects.toEqual(unsafe("not inside"));
  });

  it("may lie behind a link if that is the root itself", async () => {
    mkdirSync(at("real"));
    symlinkSync(at("real"), at("root"));
    await makeFolder(at("root"), "a");
    await writeFileAtomic(at("root/a/form"), "x");
    expect(String(await readFileSafe(at("root"), "a/form", { maxBytes: 10 }))).toBe("x");
  });
});
