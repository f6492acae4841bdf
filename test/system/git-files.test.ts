import { chmodSync, chownSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { readRepositoryFiles } from "../../src/system/git-files.ts";
import { askGit } from "../../src/system/git.ts";
import { git, newProject, temporaryFolder } from "../support/project.ts";

afterEach(() => vi.unstubAllEnvs());

const isolate = () => {
  for (const name of Object.keys(process.env).filter((each) => each.startsWith("GIT_"))) vi.stubEnv(name, undefined);
  vi.stubEnv("GIT_CONFIG_NOSYSTEM", "1");
  vi.stubEnv("GIT_CONFIG_GLOBAL", "/dev/null");
};

const repository = async () => (await newProject({ init: false })).root;

/** Each makes a place and names it; `known`: git need not be started there. */
const PLACES: Record<string, { known: boolean; make: () => Promise<string> }> = {
  "a main worktree": { known: true, make: repository },
  "a subfolder": {
    known: true,
    async make() {
      const folder = join(await repository(), "src/deep");
      mkdirSync(folder, { recursive: true });
      return folder;
    },
  },
  "a subfolder reached through a symlink": {
    known: true,
    async make() {
      const root = await repository();
      mkdirSync(join(root, "src"));
      const link = join(temporaryFolder(), "link");
      symlinkSync(join(root, "src"), link);
      return link;
    },
  },
  "a linked worktree": { known: true, make: async () => linkedWorktree(await repository()) },
  "a detached HEAD": {
    known: true,
    async make() {
      const root = await repository();
      git(root, "checkout", "-q", "--detach");
      return root;
    },
  },
  "an unborn branch": {
    known: true,
    async make() {
      const root = temporaryFolder();
      git(root, "init", "-q", "-b", "fresh/start");
      return root;
    },
  },
  "a clone with remotes and branches": {
    known: true,
    async make() {
      const folder = temporaryFolder();
      git(folder, "clone", "-q", await repository(), "clone");
      return join(folder, "clone");
    },
  },
  "a worktree of a bare repository": { known: true, make: async () => join(await bareRepository("project.git"), "tree") },
  "a worktree of a bare repository named .git": { known: true, make: async () => join(await bareRepository(".git"), "tree") },
  "a git directory elsewhere": { known: true, make: async () => separateGitDirectory() },
  "a bare repository": { known: false, make: async () => join(await bareRepository("project.git"), "project.git") },
  "a bare repository named .git, from beside it": { known: false, make: () => bareRepository(".git") },
  "inside .git": { known: false, make: async () => join(await repository(), ".git/refs") },
  "a submodule": { known: false, make: submodule },
  "a linked worktree of a submodule": { known: false, make: async () => linkedWorktree(await submodule()) },
  "a linked worktree of a git directory elsewhere": { known: false, make: async () => linkedWorktree(separateGitDirectory()) },
  "outside git": { known: false, make: async () => temporaryFolder() },
  "a branch with an odd name": {
    known: false,
    async make() {
      const root = await repository();
      git(root, "symbolic-ref", "HEAD", "refs/heads/ünï/cödé-🚀");
      return root;
    },
  },
  "a core.worktree that points elsewhere": { known: false, make: async () => configured("core.worktree", temporaryFolder()) },
  "a configuration per worktree": { known: false, make: async () => configured("extensions.worktreeConfig", "true") },
  "an included configuration": { known: false, make: async () => configured("include.path", "/nowhere") },
  "an unknown version of the format": { known: false, make: async () => configured("core.repositoryFormatVersion", "99") },
  "a damaged configuration": { known: false, make: async () => damaged("config", "[core\n\tbare = false\n") },
  "a damaged HEAD": { known: false, make: async () => damaged("HEAD", "nothing\n") },
  "a HEAD outside of the branches": { known: false, make: async () => damaged("HEAD", "ref: refs/remotes/origin/x\n") },
  "a HEAD that is a symlink": {
    known: false,
    async make() {
      const root = await repository();
      rmSync(join(root, ".git/HEAD"));
      symlinkSync("refs/heads/feature/login", join(root, ".git/HEAD"));
      return root;
    },
  },
  "a .git that is a symlink": {
    known: false,
    async make() {
      const folder = temporaryFolder();
      symlinkSync(join(await repository(), ".git"), join(folder, ".git"));
      return folder;
    },
  },
  "an empty .git inside a repository": {
    known: false,
    async make() {
      const folder = join(await repository(), "inner");
      mkdirSync(join(folder, ".git"), { recursive: true });
      return folder;
    },
  },
  "a .git without objects": {
    known: false,
    async make() {
      const root = await repository();
      rmSync(join(root, ".git/objects"), { recursive: true });
      return root;
    },
  },
  "a .git file that points nowhere": {
    known: false,
    async make() {
      const folder = temporaryFolder();
      writeFileSync(join(folder, ".git"), "gitdir: /nowhere/at/all\n");
      return folder;
    },
  },
  "a linked worktree whose main one was moved": {
    known: false,
    async make() {
      const root = await repository();
      const tree = linkedWorktree(root);
      cpSync(root, `${temporaryFolder()}/moved`, { recursive: true });
      rmSync(root, { recursive: true });
      return tree;
    },
  },
};

function linkedWorktree(root: string): string {
  const tree = join(temporaryFolder(), "linked");
  git(root, "worktree", "add", "-q", "-b", "twig", tree);
  return tree;
}

async function bareRepository(name: string): Promise<string> {
  const folder = temporaryFolder();
  git(folder, "clone", "-q", "--bare", await repository(), name);
  git(join(folder, name), "worktree", "add", "-q", join(folder, "tree"), "feature/login");
  return folder;
}

function separateGitDirectory(): string {
  const folder = temporaryFolder();
  git(folder, "init", "-q", "-b", "main", "--separate-git-dir", join(folder, "elsewhere"), "tree");
  git(join(folder, "tree"), "commit", "-q", "--allow-empty", "-m", "x");
  return join(folder, "tree");
}

async function submodule(): Promise<string> {
  const outer = await repository();
  git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", await repository(), "sub");
  return join(outer, "sub");
}

async function configured(key: string, value: string): Promise<string> {
  const root = await repository();
  git(root, "config", key, value);
  return root;
}

async function damaged(file: string, text: string): Promise<string> {
  const root = await repository();
  writeFileSync(join(root, ".git", file), text);
  return root;
}

describe("read from its files, a repository is what git says it is", () => {
  test.each(Object.entries(PLACES))("in %s", async (_name, { known, make }) => {
    isolate();
    const place = await make();
    const quick = readRepositoryFiles(place, []);
    expect(quick !== undefined).toBe(known);
    if (known) expect(quick).toEqual(await askGit(place));
  });

  test("for any branch and any line of its configuration, or git is asked", async () => {
    isolate();
    const root = await repository();
    const config = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n";
    const part = fc.constantFrom("a", "-x", "v1.2", "..", "a..b", ".a", "a.", "x.lock", "@", "@{1}", "a b", "ä", "", "refs/heads");
    const branch = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
    const line = fc.constantFrom(
      "[core]",
      "[Core]",
      '[remote "core"]',
      "[include]",
      "\tbare = true",
      "bare=false",
      "\tbare",
      "\tBARE = true ; no",
      "\tworktree = ../elsewhere",
      "path = x",
      "# worktree = x",
      "\turl = a\\",
      '\turl = "a"',
      "garbage",
    );
    await fc.assert(
      fc.asyncProperty(branch, fc.array(line, { maxLength: 3 }), async (name, lines) => {
        writeFileSync(join(root, ".git/HEAD"), `ref: refs/heads/${name}\n`);
        writeFileSync(join(root, ".git/config"), `${config}${lines.map((each) => `${each}\n`).join("")}`);
        const quick = readRepositoryFiles(root, []);
        if (quick) expect(quick).toEqual(await askGit(root));
      }),
      { numRuns: 150 },
    );
  });
});

test("git is asked where a variable of its own could change the answer", async () => {
  isolate();
  const root = await repository();
  for (const name of ["GIT_EDITOR", "GIT_PAGER", "GIT_AUTHOR_NAME", "GIT_SSL_CAINFO", "GIT_DIR"]) vi.stubEnv(name, "x");
  expect(readRepositoryFiles(root, ["GIT_DIR"])).toBeDefined();
  vi.stubEnv("GIT_DISCOVERY_ACROSS_FILESYSTEM", "1");
  expect(readRepositoryFiles(root, [])).toBeUndefined();
});

test.skipIf(process.getuid?.() !== 0)("git is asked about what belongs to another user", async () => {
  isolate();
  for (const path of ["", ".git"]) {
    const root = await repository();
    chownSync(join(root, path), 12_345, 12_345);
    expect(readRepositoryFiles(root, [])).toBeUndefined();
    await expect(askGit(root)).rejects.toMatchObject({ type: "dubious_ownership" });
  }
});

if (process.getuid?.() === 0) process.stderr.write("skipped: files that may not be read, because root may read everything\n");
test.skipIf(process.getuid?.() === 0)("git is asked about what may not be read", async () => {
  isolate();
  const root = await repository();
  chmodSync(join(root, ".git/HEAD"), 0);
  expect(readRepositoryFiles(root, [])).toBeUndefined();
});
