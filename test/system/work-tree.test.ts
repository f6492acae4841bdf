import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { workTreeId } from "../../src/system/work-tree.ts";
import { git, temporaryFolder } from "../support/project.ts";

function repository(): string {
  const root = temporaryFolder();
  git(root, "init", "-q");
  writeFileSync(join(root, "a.txt"), "one\n");
  writeFileSync(join(root, ".gitignore"), "*.log\n");
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "first");
  return root;
}
const objects = (root: string) => readdirSync(join(root, ".git/objects"), { recursive: true }).length;

test("the name of a working folder is its commit's tree while nothing is changed", async () => {
  const root = repository();
  expect(await workTreeId(root)).toBe(git(root, "rev-parse", "HEAD^{tree}"));
});

test("every change that would be committed gives another name, and taking it back the old one", async () => {
  const root = repository();
  const before = await workTreeId(root);
  const changes = [
    () => writeFileSync(join(root, "a.txt"), "two\n"),
    () => writeFileSync(join(root, "new.txt"), ""),
    () => rmSync(join(root, "a.txt")),
    () => execFileSync("chmod", ["+x", join(root, "a.txt")]),
  ];
  for (const change of changes) {
    change();
    expect(await workTreeId(root)).not.toBe(before);
    git(root, "clean", "-qfd");
    git(root, "checkout", "-q", "--", ".");
    expect(await workTreeId(root)).toBe(before);
  }
  writeFileSync(join(root, "build.log"), "ignored");
  expect(await workTreeId(root)).toBe(before);
});

test("nothing in the repository changes, staged work least of all", async () => {
  const root = repository();
  writeFileSync(join(root, "a.txt"), "staged\n");
  git(root, "add", "a.txt");
  writeFileSync(join(root, "a.txt"), "not staged\n");
  writeFileSync(join(root, "new.txt"), "new\n");
  const [index, count, status] = [readFileSync(join(root, ".git/index")), objects(root), git(root, "status", "--porcelain")];
  await workTreeId(root);
  expect(readFileSync(join(root, ".git/index")).equals(index)).toBe(true);
  expect(objects(root)).toBe(count);
  expect(git(root, "status", "--porcelain")).toBe(status);
});

test("it is found from a folder below, in a linked worktree, and before the first commit", async () => {
  const root = repository();
  mkdirSync(join(root, "below"));
  expect(await workTreeId(join(root, "below"))).toBe(await workTreeId(root));
  const linked = join(temporaryFolder(), "linked");
  git(root, "worktree", "add", "-q", linked);
  writeFileSync(join(linked, "a.txt"), "linked\n");
  expect(await workTreeId(linked)).not.toBe(await workTreeId(root));
  const fresh = temporaryFolder();
  git(fresh, "init", "-q");
  expect(await workTreeId(fresh)).toMatch(/^[0-9a-f]{40}$/);
});

test("there is none outside git, and in a bare repository", async () => {
  expect(await workTreeId(temporaryFolder())).toBeUndefined();
  const bare = temporaryFolder();
  git(bare, "init", "-q", "--bare");
  expect(await workTreeId(bare)).toBeUndefined();
});
