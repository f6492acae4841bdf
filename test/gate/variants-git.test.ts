// What becomes of the branches and worktrees of rejected variants, seen from the gate's answer and with plain git.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cleanEnvironment, envoy } from "../support/envoy.ts";
import { type TestProject, git, newProject, temporaryFolder } from "../support/project.ts";

const GATE = ["plan", "block-prompt-variants-gate", "2"];
const A = "feature/login--2A";
const B = "feature/login--2B";

interface Variants extends TestProject {
  /** The worktree of variant B, which gets rejected. */
  tree: string;
}

const prompt = (variant: string) => `---\nnumber: 2\nvariant: ${variant}\ndescription: Form ${variant}\nstatus: tested\n---\n`;

/** Two variants with a commit each; `.env` is ignored. */
async function twoVariants({ started = true } = {}): Promise<Variants> {
  const project = await newProject();
  writeFileSync(join(project.root, ".gitignore"), ".env\n");
  git(project.root, "add", ".gitignore");
  git(project.root, "commit", "-q", "-m", "ignore");
  for (const variant of ["A", "B"]) project.write(`prompts/2${variant}.md`, prompt(variant));
  if (!started) return { ...project, tree: "" };
  for (const variant of ["A", "B"]) {
    const { worktree } = await project.data("plan", "start-prompt", "2", variant);
    writeFileSync(join(worktree as string, "form.ts"), `${variant}\n`);
    git(worktree as string, "add", "form.ts");
    git(worktree as string, "commit", "-q", "-m", `Form ${variant}`);
  }
  return { ...project, tree: join(project.root, ".envoy/worktrees/feature-login--2B") };
}

/** A person makes A main and rejects B; the answer is variant A's. */
async function rejectB(project: TestProject): Promise<any> {
  expect((await project.envoy(...GATE, "A", "--wait", "1ms")).code).toBe(75);
  const form = "user_feedback/2_variants.yaml";
  const filled = project.read(form).replace("decision: null", "decision: main").replace("decision: null", "decision: rejected");
  project.write(form, filled.replace("done: false", "done: true"));
  return project.data(...GATE, "A");
}

const branches = (root: string) => git(root, "branch", "--list", "--format=%(refname:short)").split("\n");
const files = (root: string, branch: string) => git(root, "ls-tree", "-r", "--name-only", branch).split("\n");

test("work that was not committed, and ignored files, outlive a rejection and come back with one command", async () => {
  const project = await twoVariants();
  writeFileSync(join(project.tree, "form.ts"), "B, changed\n");
  writeFileSync(join(project.tree, "new.ts"), "untracked\n");
  writeFileSync(join(project.tree, ".env"), "SECRET=1\n");
  const result = await rejectB(project);
  expect(result).toMatchObject({ variant_solution: "main", proceed: true, archived_branches: [`archive/${B}`] });
  expect(result).not.toHaveProperty("problems");
  expect(branches(project.root)).toEqual([`archive/${B}`, "feature/login", A]);
  expect(files(project.root, `archive/${B}`)).toEqual([".gitignore", "form.ts", "new.ts"]);
  expect(git(project.root, "show", `archive/${B}:form.ts`)).toBe("B, changed");
  expect(existsSync(project.tree)).toBe(false);
  expect(readFileSync(join(result.trash[0], ".env"), "utf8")).toBe("SECRET=1\n");
  expect(project.read("prompts/2B.md")).toContain("variant_solution: discard");

  execFileSync("sh", ["-c", result.restore_commands[0]], { env: cleanEnvironment(), stdio: "pipe" });
  expect(branches(project.root)).toEqual(["feature/login", A, B]);
  expect(readFileSync(join(project.tree, ".env"), "utf8")).toBe("SECRET=1\n");
  expect(readFileSync(join(project.tree, "form.ts"), "utf8")).toBe("B, changed\n");
  expect(git(project.tree, "status", "--porcelain")).toBe("");
});

test("an archive name that is taken stays as it is, and the next one is used", async () => {
  const project = await twoVariants();
  git(project.root, "branch", `archive/${B}`, B);
  const before = git(project.root, "rev-parse", `archive/${B}`);
  expect(await rejectB(project)).toMatchObject({ archived_branches: [`archive/${B}-2`] });
  expect(git(project.root, "rev-parse", `archive/${B}`)).toBe(before);
});

const obstacles: Record<string, (project: Variants) => void> = {
  locked: ({ root, tree }) => void git(root, "worktree", "lock", tree),
  "in the middle of a rebase": ({ tree }) => {
    writeFileSync(join(tree, "form.ts"), "more\n");
    git(tree, "commit", "-qam", "more");
    expect(() => git(tree, "rebase", "--exec", "false", "HEAD~1")).toThrow("rebase");
  },
  "one with submodules": ({ tree }) => {
    const other = temporaryFolder();
    git(other, "init", "-q");
    git(other, "commit", "-q", "--allow-empty", "-m", "first");
    git(tree, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "sub");
    git(tree, "commit", "-qm", "sub");
  },
};

test.each(Object.keys(obstacles))("a worktree that is %s is left in place and reported, and the decision stands", async (what) => {
  const project = await twoVariants();
  obstacles[what]!(project);
  const before = git(project.root, "rev-parse", B);
  const result = await rejectB(project);
  expect(result).toMatchObject({ variant_solution: "main", problems: [expect.stringContaining("left as they are")] });
  expect(result).not.toHaveProperty("archived_branches");
  expect(git(project.root, "rev-parse", B)).toBe(before);
  expect(existsSync(join(project.tree, "form.ts"))).toBe(true);
  expect(project.read("prompts/2B.md")).toContain("variant_solution: discard");
});

test("a branch without a worktree is archived, and the missing worktree is reported", async () => {
  const project = await twoVariants();
  rmSync(project.tree, { recursive: true });
  const result = await rejectB(project);
  expect(result).toMatchObject({ archived_branches: [`archive/${B}`], problems: [expect.stringContaining("is gone")] });
  expect(branches(project.root)).toEqual([`archive/${B}`, "feature/login", A]);
});

test("a missing branch is reported, and the decision stands", async () => {
  const project = await twoVariants();
  git(project.root, "worktree", "remove", "--force", project.tree);
  git(project.root, "branch", "-D", B);
  expect(await rejectB(project)).toMatchObject({ variant_solution: "main", problems: [`There is no branch ${B}.`] });
});

test("variants that were never started, or share the branch of one that stays, have nothing to archive", async () => {
  const project = await twoVariants({ started: false });
  git(project.root, "branch", A);
  for (const variant of ["A", "B"])
    project.write(`prompts/2${variant}.md`, prompt(variant).replace("status:", `worktree_branch_name: ${A}\nstatus:`));
  expect(await rejectB(project)).toMatchObject({ problems: ["Prompt 2_B has no branch of its own; there was nothing to archive."] });
  expect(branches(project.root)).toEqual(["feature/login", A]);
});

test("the agent whose worktree was moved away gets the decision, also when it asks again from where it stands", async () => {
  const project = await twoVariants();
  mkdirSync(join(project.tree, "deep"));
  await rejectB(project);
  const trash = (await project.data(...GATE, "A")).trash[0] as string;
  const again = await envoy([...GATE, "B"], { cwd: join(trash, "deep") });
  expect(again.json.data).toMatchObject({ variant_solution: "discard", proceed: false, replayed: true });
});

test("the agent of the chosen variant is told to commit what a merge would leave out", async () => {
  const project = await twoVariants();
  const chosen = join(project.root, ".envoy/worktrees/feature-login--2A");
  writeFileSync(join(chosen, "forgotten.ts"), "not committed\n");
  const result = await rejectB(project);
  expect(result.uncommitted_work).toEqual([{ branch: A, worktree: chosen }]);
  expect(result.next).toMatch(/commit it first. Merge feature\/login--2A/);
  expect(existsSync(join(chosen, "forgotten.ts"))).toBe(true);
});

test("what was put away is gone for good after 14 days, and not before", async () => {
  const project = await twoVariants();
  const trash = join(project.root, ".envoy/trash");
  const put = (name: string, days: number) => {
    mkdirSync(join(trash, name), { recursive: true });
    writeFileSync(join(trash, `${name}.json`), JSON.stringify({ discarded: new Date(Date.now() - days * 86_400_000).toISOString() }));
  };
  put("old", 15);
  put("young", 13);
  await rejectB(project);
  expect(readdirSync(trash).filter((name) => /^(old|young)/.test(name))).toEqual(["young", "young.json"]);
});

test("callers who wait in slices for a variant share one period, and are told when it is over", async () => {
  const project = await twoVariants({ started: false });
  project.write("prompts/2B.md", prompt("B").replace("tested", "unimplemented"));
  const period = { BLOCKING_GATE_TIMEOUT_MS: "60000" };
  const call = async (...args: string[]) => (await envoy([...GATE, "A", ...args], { cwd: project.root, env: period })).json;
  const first = await call("--wait", "1ms");
  expect(first.data.waiting_for).toEqual(["2_B (unimplemented)"]);
  expect((await call("--wait", "1ms")).data.deadline).toBe(first.data.deadline);
  const short = await call("--timeout", "100ms");
  expect(short.error.type).toBe("not_ready");
});
