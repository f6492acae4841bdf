import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { discardBranch, planDiscard, type Discarded } from "../../src/system/git-discard.ts";
import { isTemporaryName } from "../../src/system/safe-path.ts";
import { emptyTrash } from "../../src/system/trash.ts";
import { cleanEnvironment } from "../support/envoy.ts";
import { git, temporaryFolder } from "../support/project.ts";
import { killAtEachStep, start, usePrograms } from "./programs/start.ts";

const programs = usePrograms("discard");

// git of the code under test sees none of the developer's settings either.
beforeEach(() => {
  for (const [name, value] of Object.entries(cleanEnvironment())) vi.stubEnv(name, value);
});
afterEach(() => void vi.unstubAllEnvs());

const B = "feature/login-b";

interface Repository {
  root: string;
  commonDir: string;
  worktree: string;
  trashFolder: string;
  discard: (branch?: string) => Promise<Discarded>;
}

function repository({ bare = false } = {}): Repository {
  const base = temporaryFolder();
  const seed = join(base, "project");
  git(base, "init", "-q", "-b", "main", seed);
  writeFileSync(join(seed, "a.txt"), "one\n");
  writeFileSync(join(seed, ".gitignore"), ".env\n");
  git(seed, "add", ".");
  git(seed, "commit", "-q", "-m", "first");
  const root = bare ? join(base, "bare.git") : seed;
  if (bare) git(base, "clone", "-q", "--bare", seed, root);
  const worktree = join(base, "variant b");
  git(root, "worktree", "add", "-q", "-b", B, worktree);
  const commonDir = bare ? root : join(root, ".git");
  const trashFolder = join(base, "trash");
  const discard = async (branch = B): Promise<Discarded> =>
    discardBranch(commonDir, await planDiscard(commonDir, branch, { trashFolder, gateId: "g_1" }));
  return { root, commonDir, worktree, trashFolder, discard };
}

/** Modified, staged and then changed again, untracked, deleted, intended; and an ignored file. */
function dirty({ worktree }: Repository): void {
  writeFileSync(join(worktree, "gone.txt"), "gone\n");
  git(worktree, "add", "gone.txt");
  git(worktree, "commit", "-q", "-m", "second");
  rmSync(join(worktree, "gone.txt"));
  writeFileSync(join(worktree, "a.txt"), "staged\n");
  git(worktree, "add", "a.txt");
  writeFileSync(join(worktree, "a.txt"), "changed after that\n");
  mkdirSync(join(worktree, "deep"));
  writeFileSync(join(worktree, "deep/new file.txt"), "untracked\n");
  writeFileSync(join(worktree, "intended.txt"), "intended\n");
  git(worktree, "add", "-N", "intended.txt");
  writeFileSync(join(worktree, ".env"), "SECRET=1\n");
}

const branches = (root: string): string[] => git(root, "for-each-ref", "--format=%(refname:short)", "refs/heads/").split("\n");
const show = (root: string, object: string): string => git(root, "show", object);
const registered = (root: string): number => git(root, "worktree", "list", "--porcelain").split("\n\n").length;
const unreachable = (root: string): string =>
  git(root, "fsck", "--unreachable", "--no-reflogs", "--no-progress")
    .split("\n")
    .filter((line) => line.includes("commit"))
    .join("\n");

/** The one problem reported, after nothing was touched: the branch, the worktree and what is in it. */
async function reasonToLeave(repo: Repository): Promise<string> {
  const [before, status] = [git(repo.root, "for-each-ref"), git(repo.worktree, "status", "--porcelain", "--ignored")];
  const result = await repo.discard();
  expect(result.problems).toHaveLength(1);
  expect(result).not.toHaveProperty("archived");
  expect(git(repo.root, "for-each-ref")).toBe(before);
  expect(git(repo.worktree, "status", "--porcelain", "--ignored")).toBe(status);
  return result.problems[0]!;
}

describe("a rejected variant", () => {
  it("ends as archive/<branch> with all its uncommitted work, and its folder in the trash", async () => {
    const repo = repository();
    dirty(repo);
    git(repo.root, "config", `branch.${B}.description`, "the second one");
    const result = await repo.discard();
    expect(result).toMatchObject({ branch: B, archived: `archive/${B}`, problems: [] });
    expect(branches(repo.root)).toEqual([`archive/${B}`, "main"]);
    expect(git(repo.root, "rev-parse", `archive/${B}`)).toBe(result.commit);
    expect(show(repo.root, `archive/${B}:a.txt`)).toBe("changed after that");
    expect(show(repo.root, `archive/${B}~1:a.txt`)).toBe("staged");
    expect(show(repo.root, `archive/${B}:deep/new file.txt`)).toBe("untracked");
    expect(show(repo.root, `archive/${B}:intended.txt`)).toBe("intended");
    expect(git(repo.root, "ls-tree", "-r", "--name-only", `archive/${B}`)).not.toMatch(/gone|env/);
    expect(git(repo.root, "config", `branch.archive/${B}.description`)).toBe("the second one");
    expect(git(repo.root, "reflog", "show", `archive/${B}`)).toContain("second");
    expect(existsSync(repo.worktree)).toBe(false);
    expect(registered(repo.root)).toBe(1);
    expect(readFileSync(join(result.trash!, ".env"), "utf8")).toBe("SECRET=1\n");
    expect(unreachable(repo.root)).toBe("");
  });

  it("comes back, ignored files too, by the command that the result names", async () => {
    const repo = repository();
    dirty(repo);
    const { restore } = await repo.discard();
    execFileSync("sh", ["-ec", restore!], { stdio: "pipe" });
    expect(branches(repo.root)).toEqual([B, "main"]);
    expect(git(repo.worktree, "status", "--porcelain")).toBe("");
    expect(git(repo.worktree, "symbolic-ref", "--short", "HEAD")).toBe(B);
    expect(readFileSync(join(repo.worktree, "a.txt"), "utf8")).toBe("changed after that\n");
    expect(readFileSync(join(repo.worktree, ".env"), "utf8")).toBe("SECRET=1\n");
  });

  it.each([["--assume-unchanged"], ["--skip-worktree"]])("keeps what git was told not to look at (%s)", async (bit) => {
    const repo = repository();
    writeFileSync(join(repo.worktree, "a.txt"), "hidden\n");
    git(repo.worktree, "update-index", bit, "a.txt");
    await repo.discard();
    expect(show(repo.root, `archive/${B}:a.txt`)).toBe("hidden");
  });

  it("gets no further commit if there is nothing uncommitted", async () => {
    const repo = repository();
    const tip = git(repo.root, "rev-parse", B);
    expect(await repo.discard()).toMatchObject({ commit: tip, problems: [] });
  });

  it("is put away in spite of failing hooks, signing without a key, and no identity", async () => {
    const repo = repository();
    dirty(repo);
    for (const hook of ["pre-commit", "commit-msg", "reference-transaction", "post-index-change"]) {
      writeFileSync(join(repo.commonDir, "hooks", hook), "#!/bin/sh\nexit 1\n");
      chmodSync(join(repo.commonDir, "hooks", hook), 0o755);
    }
    appendFileSync(
      join(repo.commonDir, "config"),
      "[commit]\n gpgsign = true\n[user]\n useConfigOnly = true\n signingkey = none\n[gpg]\n program = false\n",
    );
    expect(await repo.discard()).toMatchObject({ archived: `archive/${B}`, problems: [] });
    rmSync(join(repo.commonDir, "hooks"), { recursive: true });
    expect(git(repo.root, "log", "-1", "--no-show-signature", "--format=%an <%ae>", `archive/${B}`)).toBe("envoy <envoy@localhost>");
  });

  it.each([
    ["another commit", "main~0"],
    ["the very same commit", B],
  ])("gets a number if its archive name is taken by %s", async (_what, commit) => {
    const repo = repository();
    git(repo.worktree, "commit", "-q", "--allow-empty", "-m", "second");
    git(repo.root, "branch", `archive/${B}`, commit);
    git(repo.root, "branch", `archive/${B}-2`, commit);
    const taken = git(repo.root, "rev-parse", `archive/${B}`);
    expect(await repo.discard()).toMatchObject({ archived: `archive/${B}-3`, problems: [] });
    expect(git(repo.root, "rev-parse", `archive/${B}`)).toBe(taken);
  });

  it("gets another name also if the planned one was taken since, and only one when that is repeated", async () => {
    const repo = repository();
    const plan = await planDiscard(repo.commonDir, B, { trashFolder: repo.trashFolder, gateId: "g_1" });
    git(repo.root, "branch", `archive/${B}`, B);
    const first = await discardBranch(repo.commonDir, plan);
    expect(first).toMatchObject({ archived: `archive/${B}-2`, problems: [] });
    expect(await discardBranch(repo.commonDir, plan)).toEqual(first);
    expect(branches(repo.root)).toEqual([`archive/${B}`, `archive/${B}-2`, "main"]);
  });

  it("gets a name without slashes if an archived branch is in the way", async () => {
    const repo = repository();
    git(repo.root, "branch", "archive/feature", "main");
    expect(await repo.discard()).toMatchObject({ archived: "archive/feature-login-b", problems: [] });
  });

  it("stays if a branch named archive is in the way of every name", async () => {
    const repo = repository();
    git(repo.root, "branch", "archive", "main");
    expect(await reasonToLeave(repo)).toMatch(/^No name below archive\/ is free/);
  });

  it("is archived at its newest commit if it moved since the plan was made", async () => {
    const repo = repository();
    const plan = await planDiscard(repo.commonDir, B, { trashFolder: repo.trashFolder, gateId: "g_1" });
    git(repo.worktree, "commit", "-q", "--allow-empty", "-m", "later");
    const later = git(repo.root, "rev-parse", B);
    expect(await discardBranch(repo.commonDir, plan)).toMatchObject({ commit: later, problems: [] });
    expect(unreachable(repo.root)).toBe("");
  });

  it("is put away from a bare repository too", async () => {
    const repo = repository({ bare: true });
    dirty(repo);
    expect(await repo.discard()).toMatchObject({ archived: `archive/${B}`, problems: [] });
    expect(branches(repo.root)).toEqual([`archive/${B}`, "main"]);
    expect(unreachable(repo.root)).toBe("");
  });

  it("is put away by a process that runs inside its folder", async () => {
    const repo = repository();
    dirty(repo);
    const plan = await planDiscard(repo.commonDir, B, { trashFolder: repo.trashFolder, gateId: "g_1" });
    const words = [programs("discard"), repo.commonDir, JSON.stringify(plan)];
    const printed = execFileSync(process.execPath, words, { cwd: repo.worktree, encoding: "utf8" });
    expect(JSON.parse(printed)).toMatchObject({ archived: `archive/${B}`, problems: [] });
  });
});

describe("what is missing is reported", () => {
  it("when the branch is", async () => {
    const repo = repository();
    expect(await repo.discard("feature/none")).toEqual({ branch: "feature/none", problems: ["There is no branch feature/none."] });
  });

  it("when it has no worktree", async () => {
    const repo = repository();
    git(repo.root, "branch", "feature/alone");
    expect(await repo.discard("feature/alone")).toMatchObject({
      archived: "archive/feature/alone",
      problems: ["feature/alone has no worktree."],
    });
  });

  it("when the worktree's folder is gone", async () => {
    const repo = repository();
    rmSync(repo.worktree, { recursive: true });
    expect(await repo.discard()).toMatchObject({ archived: `archive/${B}`, problems: [`The worktree ${repo.worktree} is gone.`] });
  });
});

describe("branch and worktree stay, and the reason is given,", () => {
  it("when the worktree is locked", async () => {
    const repo = repository();
    git(repo.root, "worktree", "lock", "--reason", "on a stick", repo.worktree);
    expect(await reasonToLeave(repo)).toMatch(
      /^The worktree .* is locked \(on a stick\)\. The branch feature\/login-b and its worktree are left as they are\.$/,
    );
  });

  const conflict = ({ worktree, root }: Repository): void => {
    writeFileSync(join(worktree, "a.txt"), "theirs\n");
    git(worktree, "commit", "-q", "-a", "-m", "theirs");
    writeFileSync(join(root, "a.txt"), "ours\n");
    git(root, "commit", "-q", "-a", "-m", "ours");
  };
  it.each([
    ["a rebase", "rebase"],
    ["a merge", "merge"],
    ["a cherry-pick", "cherry-pick"],
  ])("when it is in the middle of %s", async (_what, command) => {
    const repo = repository();
    conflict(repo);
    expect(() => git(repo.worktree, command, "main")).toThrow("Command failed");
    expect(await reasonToLeave(repo)).toMatch(/in the middle of a (rebase|merge|cherry-pick)/);
  });

  it("when it is being bisected", async () => {
    const repo = repository();
    for (const n of [1, 2, 3, 4]) git(repo.worktree, "commit", "-q", "--allow-empty", "-m", String(n));
    git(repo.worktree, "bisect", "start", B, "main");
    expect(await reasonToLeave(repo)).toMatch(/in the middle of a rebase or bisect/);
  });

  it("when it is only another name of a branch", async () => {
    const repo = repository();
    git(repo.root, "branch", "precious", B);
    git(repo.root, "worktree", "remove", repo.worktree);
    git(repo.root, "branch", "-D", B);
    git(repo.root, "symbolic-ref", `refs/heads/${B}`, "refs/heads/precious");
    const result = await repo.discard();
    expect(result.problems).toEqual([expect.stringContaining("only another name of precious")]);
    expect(branches(repo.root)).toEqual([B, "main", "precious"]);
  });

  it("when the worktree has refs of its own, which would go with it", async () => {
    const repo = repository();
    git(repo.worktree, "update-ref", "refs/worktree/keep", "HEAD");
    expect(await reasonToLeave(repo)).toMatch(/refs of its own \(refs\/worktree\/keep\)/);
  });

  it("when it has unresolved conflicts", async () => {
    const repo = repository();
    writeFileSync(join(repo.worktree, "a.txt"), "stashed\n");
    git(repo.worktree, "stash", "-q");
    writeFileSync(join(repo.worktree, "a.txt"), "committed\n");
    git(repo.worktree, "commit", "-q", "-a", "-m", "other");
    expect(() => git(repo.worktree, "stash", "pop")).toThrow("Command failed");
    expect(await reasonToLeave(repo)).toMatch(/unresolved conflicts/);
  });

  it("when it has a submodule", async () => {
    const repo = repository();
    git(repo.worktree, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repo.root, "sub");
    expect(await reasonToLeave(repo)).toMatch(/has submodules/);
  });

  it("when another repository lies inside", async () => {
    const repo = repository();
    git(repo.worktree, "init", "-q", "inner");
    git(join(repo.worktree, "inner"), "commit", "-q", "--allow-empty", "-m", "inner");
    expect(await reasonToLeave(repo)).toMatch(/has another repository inside/);
  });

  it("when another git holds index.lock", async () => {
    const repo = repository();
    dirty(repo);
    const gitDir = git(repo.worktree, "rev-parse", "--absolute-git-dir");
    writeFileSync(join(gitDir, "index.lock"), "");
    expect(await reasonToLeave(repo)).toMatch(/index\.lock is there/);
  });

  it("when it is the main worktree's branch", async () => {
    const repo = repository();
    expect((await repo.discard("main")).problems).toEqual([expect.stringMatching(/^main is checked out in the main worktree/)]);
    expect(branches(repo.root)).toEqual([B, "main"]);
  });

  it("when it is checked out twice", async () => {
    const repo = repository();
    git(repo.root, "worktree", "add", "-q", "--force", `${repo.worktree} again`, B);
    expect(await reasonToLeave(repo)).toMatch(/checked out in several places/);
  });

  it("when the folder lost its .git file, and the worktree around it is not taken for it", async () => {
    const repo = repository();
    const inside = join(repo.root, "inside");
    git(repo.root, "worktree", "add", "-q", "-b", "feature/inside", inside);
    rmSync(join(inside, ".git"));
    const result = await repo.discard("feature/inside");
    expect(result.problems).toEqual([expect.stringMatching(/is no worktree of its own any more/)]);
    expect(branches(repo.root)).toContain("feature/inside");
  });

  it("when the folder cannot be moved; its work is committed all the same", async () => {
    const repo = repository();
    dirty(repo);
    vi.stubEnv("ENVOY_FAILPOINT", "discard.move=error:EXDEV");
    const result = await repo.discard();
    expect(result.problems).toEqual([expect.stringMatching(/cannot be moved to .* \(EXDEV\)/)]);
    expect(branches(repo.root)).toEqual([B, "main"]);
    expect(git(repo.worktree, "status", "--porcelain")).toBe("");
    expect(readdirSync(repo.trashFolder)).toEqual([]);
  });
});

describe("a discard killed at any step", () => {
  it("is finished by the next one, with the same branches and files, and every commit has a branch at every moment", async () => {
    const finals: unknown[] = [];
    let repo = repository();
    let words: string[] = [];
    await prepare();
    const kills = await killAtEachStep(
      (failpoint) => start(programs("discard"), words, failpoint),
      async () => {
        expect(git(repo.root, "for-each-ref", "--contains", JSON.parse(words[1]!).commit)).not.toBe("");
        const result = await discardBranch(repo.commonDir, JSON.parse(words[1]!));
        expect(result).toMatchObject({ archived: `archive/${B}`, problems: [] });
        expect(await discardBranch(repo.commonDir, JSON.parse(words[1]!))).toEqual(result);
        finals.push({
          branches: branches(repo.root),
          tree: git(repo.root, "ls-tree", "-r", `archive/${B}`),
          subjects: git(repo.root, "log", "--format=%s", `archive/${B}`),
          config: git(repo.root, "config", `branch.archive/${B}.description`),
          registered: registered(repo.root),
          // A writer that is killed leaves a temporary file.
          trash: readdirSync(repo.trashFolder, { recursive: true, encoding: "utf8" })
            .filter((name) => !isTemporaryName(name))
            .toSorted(),
        });
        git(repo.root, "fsck", "--strict");
        expect(unreachable(repo.root)).toBe("");
        await prepare();
      },
    );
    async function prepare(): Promise<void> {
      repo = repository();
      dirty(repo);
      git(repo.root, "config", `branch.${B}.description`, "the second one");
      const plan = await planDiscard(repo.commonDir, B, { trashFolder: repo.trashFolder, gateId: "g_1" });
      words = [repo.commonDir, JSON.stringify(plan)];
    }
    expect(kills).toBeGreaterThanOrEqual(9);
    for (const final of finals) expect(final).toEqual(finals.at(-1));
  });

  it("gives the archive back from the recorded commit when neither branch is there", async () => {
    const repo = repository();
    git(repo.worktree, "commit", "-q", "--allow-empty", "-m", "second");
    const plan = await planDiscard(repo.commonDir, B, { trashFolder: repo.trashFolder, gateId: "g_1" });
    git(repo.root, "update-ref", "-d", `refs/heads/${B}`);
    expect(await discardBranch(repo.commonDir, plan)).toMatchObject({ archived: `archive/${B}`, commit: plan.commit });
    expect(git(repo.root, "rev-parse", `archive/${B}`)).toBe(plan.commit);
  });
});

describe("the trash", () => {
  it("is emptied of what lies there longer than asked, and of nothing else", async () => {
    const repo = repository();
    const { trash } = await repo.discard();
    writeFileSync(join(repo.trashFolder, "notes.json"), "mine");
    expect(await emptyTrash(repo.trashFolder, 60_000)).toEqual([]);
    expect(existsSync(trash!)).toBe(true);
    writeFileSync(`${trash}.json`, JSON.stringify({ discarded: "2026-01-01T00:00:00.000Z" }));
    expect(await emptyTrash(repo.trashFolder, 60_000)).toEqual(["feature-login-b-g_1"]);
    expect(readdirSync(repo.trashFolder)).toEqual(["notes.json"]);
    expect(await emptyTrash(join(repo.trashFolder, "none"), 0)).toEqual([]);
  });
});
