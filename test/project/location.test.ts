import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cleanEnvironment, envoy } from "../support/envoy.ts";
import { folderOutsideGit, git, newProject, projectAt, temporaryFolder } from "../support/project.ts";

const run = (cwd: string, args: string[], env = {}) => envoy(args, { cwd, env });
const init = async (cwd: string, env = {}) => (await run(cwd, ["plan", "init"], env)).json.data;

describe("the plan directory", () => {
  test("is at the main worktree's root, seen from a subfolder and from a linked worktree", async () => {
    const project = await newProject();
    await project.data("plan", "write-finding", "ui", "--notes", "n");
    mkdirSync(join(project.root, "src/deep"), { recursive: true });
    const sub = await run(join(project.root, "src/deep"), ["plan", "get-findings"]);
    expect(sub.json.data.findings).toHaveLength(1);
    const tree = join(temporaryFolder(), "linked");
    git(project.root, "worktree", "add", "-q", "-b", "other", tree);
    expect(await init(tree)).toMatchObject({ branch: "other", plan_dir: join(project.root, ".envoy/plans/other") });
    expect(existsSync(join(tree, ".envoy"))).toBe(false);
  });

  test("of a submodule is the submodule's own, also from a linked worktree of it", async () => {
    const inner = await newProject({ init: false });
    const outer = await newProject();
    git(outer.root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.root, "sub");
    const sub = join(outer.root, "sub");
    expect(await init(sub)).toMatchObject({ plan_dir: join(sub, ".envoy/plans/feature-login") });
    const tree = join(temporaryFolder(), "linked");
    git(sub, "worktree", "add", "-q", "-b", "twig", tree);
    expect(await init(tree)).toMatchObject({ plan_dir: join(sub, ".envoy/plans/twig") });
  });

  test.each(["project.git", ".bare", ".git"])("of a bare repository %s is beside it", async (name) => {
    const source = await newProject({ init: false });
    const folder = temporaryFolder();
    git(folder, "clone", "-q", "--bare", source.root, name);
    git(join(folder, name), "worktree", "add", "-q", join(folder, "tree"), "feature/login");
    expect(await init(join(folder, "tree"))).toMatchObject({
      branch: "feature/login",
      plan_dir: join(folder, ".envoy/plans/feature-login"),
    });
    expect(await init(join(folder, name))).toMatchObject({ plan_dir: join(folder, ".envoy/plans/feature-login"), created: false });
  });

  test("of a repository with its git directory elsewhere is its worktree's; a linked worktree says what to set", async () => {
    const folder = temporaryFolder();
    git(folder, "init", "-q", "-b", "main", "--separate-git-dir", join(folder, "elsewhere"), "tree");
    const tree = join(folder, "tree");
    git(tree, "commit", "-q", "--allow-empty", "-m", "x");
    expect(await init(tree)).toMatchObject({ plan_dir: join(tree, ".envoy/plans/main") });
    git(tree, "worktree", "add", "-q", "-b", "twig", join(folder, "linked"));
    expect((await run(join(folder, "linked"), ["plan", "list"])).json.error).toMatchObject({
      type: "git_failed",
      suggestion: expect.stringContaining("ENVOY_DIR"),
    });
  });

  test("outside git is the nearest one upwards, else here", async () => {
    const folder = temporaryFolder();
    const env = { ENVOY_DIR: ".envoy-of-this-test" }; // a name that no folder further up has
    expect(await init(folder, env)).toMatchObject({ plan: "default", plan_dir: join(folder, ".envoy-of-this-test/plans/default") });
    mkdirSync(join(folder, "a/b"), { recursive: true });
    expect(await init(join(folder, "a/b"), env)).toMatchObject({
      plan_dir: join(folder, ".envoy-of-this-test/plans/default"),
      created: false,
    });
  });

  test("on a detached HEAD is unknown, unless it is named", async () => {
    const project = await newProject();
    git(project.root, "checkout", "-q", "--detach");
    for (const args of [
      ["plan", "init"],
      ["plan", "get-findings"],
    ]) {
      expect(await project.error("no_branch", ...args)).toMatchObject({ code: 3, suggestion: expect.stringContaining("--plan-dir") });
    }
    expect(await project.data("plan", "get-findings", "--plan-dir", ".envoy/plans/feature-login")).toEqual({});
  });

  test("before the first commit is the unborn branch's", async () => {
    const folder = temporaryFolder();
    git(folder, "init", "-q", "-b", "fresh");
    expect(await init(folder)).toMatchObject({ branch: "fresh" });
  });

  test("is not moved by the variables of a git hook", async () => {
    const project = await newProject();
    const other = await newProject();
    const env = { GIT_DIR: join(other.root, ".git"), GIT_WORK_TREE: other.root, GIT_INDEX_FILE: join(other.root, ".git/index") };
    expect(await init(project.root, env)).toMatchObject({ plan_dir: project.plan });
  });

  test("can be named by an absolute ENVOY_DIR", async () => {
    const project = await newProject({ init: false });
    const elsewhere = join(temporaryFolder(), "store");
    expect(await init(project.root, { ENVOY_DIR: elsewhere })).toMatchObject({ plan_dir: join(elsewhere, "plans/feature-login") });
  });
});

describe("branches", () => {
  test.each([[["feature/a-b", "feature-a/b"]], [["feature-a/b", "feature/a-b"]]])("%j have plans of their own", async (branches) => {
    const project = await newProject({ init: false });
    const plans = new Map<string, string>();
    for (const branch of branches) {
      git(project.root, "checkout", "-q", "-b", branch);
      plans.set(branch, (await init(project.root)).plan_dir);
      await project.data("plan", "write-finding", "ui", "--notes", branch);
    }
    expect(new Set(plans.values()).size).toBe(2);
    for (const branch of branches) {
      git(project.root, "checkout", "-q", branch);
      expect((await project.data("plan", "get-findings")).findings[0].notes).toBe(branch);
    }
  });

  test.each(["x/".repeat(90) + "long", "_archive", "ünï/cödé-🚀", "quote'\"$(touch$IFS-pwned)`;&", "@", "a".repeat(200)])(
    "%j has a plan, found again",
    async (branch) => {
      const project = await newProject({ init: false });
      git(project.root, "symbolic-ref", "HEAD", `refs/heads/${branch}`);
      const made = await init(project.root);
      expect(made).toMatchObject({ branch, created: true });
      expect(await init(project.root)).toMatchObject({ plan_dir: made.plan_dir, created: false });
      expect(readdirSync(join(project.root, ".envoy/plans"))).toHaveLength(1);
      expect(existsSync(join(project.root, "pwned"))).toBe(false);
    },
  );

  test("whose name begins with a dash do no harm", async () => {
    const project = await newProject({ init: false });
    git(project.root, "update-ref", "refs/heads/-x", "HEAD");
    git(project.root, "symbolic-ref", "HEAD", "refs/heads/-x");
    expect(await init(project.root)).toMatchObject({ branch: "-x" });
    await project.data("plan", "write-prompt", "1", "--description", "d");
    expect((await run(project.root, ["plan", "start-prompt", "1"])).json.error.type).toBe("git_failed");
  });

  test("of prompts lead to their feature's plan, past a damaged other plan", async () => {
    const project = await newProject();
    await project.data("plan", "write-prompt", "2A", "--description", "d");
    const { worktree } = await project.data("plan", "start-prompt", "2A");
    git(project.root, "checkout", "-q", "-b", "aaa");
    await project.data("plan", "init");
    const record = readFileSync(join(project.root, ".envoy/plans/aaa/plan.json"));
    writeFileSync(join(project.root, ".envoy/plans/aaa/prompts/1.md"), "no front matter\n");
    const found = await run(worktree, ["plan", "get-prompt", "2A"]);
    expect(found.json.data).toMatchObject({ prompt_id: "2_A" });
    writeFileSync(join(project.root, ".envoy/plans/aaa/plan.json"), "{");
    const past = await run(worktree, ["plan", "get-prompt", "2A"]);
    expect(past.json.data).toMatchObject({ prompt_id: "2_A" });
    expect(past.stderr).toContain("passed over the plan aaa");
    await project.error("invalid_file", "plan", "list");
    writeFileSync(join(project.root, ".envoy/plans/aaa/plan.json"), record);
    const lost = await run(worktree, ["-C", project.root, "plan", "list-prompts"]);
    expect(lost.json.error.type).toBe("invalid_file");
    git(worktree, "checkout", "-q", "-b", "nobody");
    const warned = await run(worktree, ["plan", "list-prompts"]);
    expect(warned.json.error.type).toBe("no_plan");
    expect(warned.stderr).toContain("passed over the plan aaa");
  });

  test("initialised by six processes at once agree on one plan", async () => {
    const project = await newProject({ init: false });
    const runs = await Promise.all(Array.from({ length: 6 }, () => project.envoy("plan", "init")));
    expect(runs.map((r) => r.code)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(runs.filter((r) => r.json.data.created)).toHaveLength(1);
    expect(new Set(runs.map((r) => r.json.data.created_at)).size).toBe(1);
  });
});

describe("a git that fails although there is a repository is an error", () => {
  test("dubious ownership", async () => {
    const project = await newProject();
    const { code, json } = await run(project.root, ["plan", "get-findings"], { GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" });
    expect(code).toBe(5);
    expect(json.error).toMatchObject({ type: "dubious_ownership", suggestion: expect.stringContaining(`safe.directory ${project.root}`) });
  });

  test.skipIf(process.getuid?.() !== 0)("a worktree of another user", async () => {
    const project = await newProject();
    chownSync(project.root, 12_345, 12_345);
    expect((await run(project.root, ["plan", "get-findings"])).json.error).toMatchObject({ type: "dubious_ownership" });
  });

  test("a .git file that points nowhere", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, ".git"), "gitdir: /nowhere/at/all\n");
    expect((await run(folder, ["plan", "init"])).json.error).toMatchObject({ type: "git_failed" });
    expect(existsSync(join(folder, ".envoy"))).toBe(false);
  });

  test("a .git that git does not know, without a git program", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, ".git"));
    const { code, json } = await run(folder, ["plan", "get-findings"], { PATH: "/nonexistent" });
    expect(code).toBe(5);
    expect(json.error).toMatchObject({ type: "git_failed", suggestion: expect.stringContaining("Install git") });
    expect((await run(folderOutsideGit(), ["plan", "init"], { PATH: "/nonexistent" })).code).toBe(0);
  });

  test("a git that is broken itself", async () => {
    const project = await newProject();
    writeFileSync(join(project.root, ".git/HEAD"), "damaged\n");
    const fake = temporaryFolder();
    writeFileSync(join(fake, "git"), "#!/bin/sh\necho 'fatal: it broke' >&2\nexit 128\n");
    chmodSync(join(fake, "git"), 0o755);
    expect((await run(project.root, ["plan", "get-findings"], { PATH: fake })).json.error.message).toContain("it broke");
  });
});

test("a repository as most are is read without git; making a branch needs it", async () => {
  const project = await newProject();
  await project.data("plan", "write-prompt", "1", "--description", "d");
  const env = { PATH: "/nonexistent" };
  expect((await run(project.root, ["plan", "get-prompt", "1"], env)).code).toBe(0);
  expect((await run(project.root, ["plan", "start-prompt", "1"], env)).json.error).toMatchObject({
    type: "git_failed",
    suggestion: expect.stringContaining("Install git"),
  });
});

test("the team's config.yaml stays visible to git, all else is ignored", async () => {
  const project = await newProject();
  writeFileSync(join(project.root, ".envoy/config.yaml"), "{}\n");
  await project.data("plan", "write-prompt", "1", "--description", "d");
  await project.data("plan", "start-prompt", "1");
  expect(git(project.root, "status", "--porcelain", "-uall")).toBe("?? .envoy/config.yaml");
});

test("a .gitignore that is there already is left alone", async () => {
  const project = await newProject({ init: false });
  mkdirSync(join(project.root, ".envoy"));
  writeFileSync(join(project.root, ".envoy/.gitignore"), "mine\n");
  await project.data("plan", "init");
  expect(execFileSync("cat", [join(project.root, ".envoy/.gitignore")], { encoding: "utf8" })).toBe("mine\n");
});

test("a symlink in place of a plan's folder, or of envoy's, is refused", async () => {
  const project = await newProject();
  const elsewhere = temporaryFolder();
  cpSync(project.plan, join(elsewhere, "plan"), { recursive: true });
  renameSync(project.plan, `${project.plan}-real`);
  symlinkSync(join(elsewhere, "plan"), project.plan);
  await project.error("unsafe_path", "plan", "get-findings");
  await project.error("unsafe_path", "plan", "init");
  const other = await newProject({ init: false });
  symlinkSync(elsewhere, join(other.root, ".envoy"));
  await other.error("unsafe_path", "plan", "init");
  expect(projectAt(elsewhere, "").root).toBe(elsewhere);
});

test("nothing of the developer's own git settings reaches a test", () => {
  expect(cleanEnvironment()["HOME"]).not.toBe(process.env["HOME"]);
});
