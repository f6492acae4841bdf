import { cpSync, existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Run, envoy } from "./support/envoy.ts";
import { type TestProject, git, newProject, projectAt, temporaryFolder } from "./support/project.ts";

/** A process killed while it prepares a lock leaves that one small file behind, which disturbs nobody. */
const leftovers = (plan: string) =>
  readdirSync(plan, { recursive: true, encoding: "utf8" }).filter((name) => /\.tmp$|\.lock$/.test(name) && !/\.lock\..*\.tmp$/.test(name));

/** Fails at the 1st, 2nd, … step until none is hit; each time in a fresh copy of the project. Returns how many there were. */
async function atEveryStep(
  action: string,
  original: TestProject,
  { args, look }: { args: string[]; look: (project: TestProject, run: Run) => Promise<void> | void },
): Promise<number> {
  for (let step = 1; ; step++) {
    const root = join(temporaryFolder(), "project");
    cpSync(original.root, root, { recursive: true });
    const project = projectAt(root, original.plan.replace(original.root, root));
    const run = await envoy(args, { cwd: root, env: { ENVOY_FAILPOINT: `#${step}=${action}` } });
    await look(project, run);
    rmSync(root, { recursive: true, force: true });
    if (run.code === 0) return step - 1;
  }
}

const OLD = "# top\nspecialist_name: ui\nnotes: old\n";
const NEW = OLD.replace("old", "new");
async function withFindings(): Promise<TestProject> {
  const project = await newProject();
  project.write("findings/ui.yaml", OLD);
  return project;
}

test.each(["kill", "error:ENOSPC", "error:EACCES", "error:EROFS", "error:EIO"])(
  "a write with %s at any step leaves the old findings or the new ones, whole, and the next command finishes the work",
  async (action) => {
    const steps = await atEveryStep(action, await withFindings(), {
      args: ["plan", "write-finding", "ui", "--notes", "new"],
      async look(project, { code, signal, stdout }) {
        if (action === "kill" && code !== 0) expect(signal).toBe("SIGKILL");
        // Between taking the lock and the work nothing is written, so an error there is a bug.
        else if (code !== 0 && !stdout.includes("failpoint lock.work")) expect(JSON.parse(stdout).error.type).toBe("io_failed");
        expect([OLD, NEW]).toContain(project.read("findings/ui.yaml"));
        if (action !== "kill" && action !== "error:ENOSPC") return;
        await project.data("plan", "write-finding", "ui", "--notes", "new");
        expect(project.read("findings/ui.yaml")).toBe(NEW);
        expect(leftovers(project.plan)).toEqual([]);
      },
    });
    expect(steps).toBeGreaterThan(5);
  },
);

test.each(["kill", "error:ENOSPC"])("%s at any step never tears the audit trail", async (action) => {
  const entry = /^## [^\n]*\n<!-- entry [^\n]*\n\n```text\n(first|second)\n```\n$/;
  const project = await newProject();
  await project.data("plan", "append-user-input", "first");
  const steps = await atEveryStep(action, project, {
    args: ["plan", "append-user-input", "second"],
    look: (copy) => {
      const entries = copy.read("user_input.md").split(/\n(?=## )/);
      for (const one of entries) expect(one).toMatch(entry);
    },
  });
  expect(steps).toBeGreaterThan(5);
});

describe("killed at any step and run again", () => {
  test("init makes the plan", async () => {
    const steps = await atEveryStep("kill", await newProject({ init: false }), {
      args: ["plan", "init"],
      async look(project) {
        await project.data("plan", "init");
        expect(git(project.root, "status", "--porcelain")).toBe("");
      },
    });
    expect(steps).toBeGreaterThan(10);
  });

  test("start-prompt has one branch and one worktree, recorded in the prompt", async () => {
    const original = await newProject();
    await original.data("plan", "write-prompt", "1", "--description", "d");
    const steps = await atEveryStep("kill", original, {
      args: ["plan", "start-prompt", "1"],
      async look(project) {
        const { worktree } = await project.data("plan", "start-prompt", "1");
        expect(git(worktree, "symbolic-ref", "--short", "HEAD")).toBe("feature/login--1");
        expect(await project.data("plan", "get-prompt", "1")).toMatchObject({
          worktree_branch_name: "feature/login--1",
          in_progress: true,
        });
        expect(git(project.root, "worktree", "list").split("\n")).toHaveLength(2);
      },
    });
    expect(steps).toBeGreaterThan(5);
  });

  test("clear-prompt removes it, and archive puts the plan away once", async () => {
    const original = await newProject();
    await original.data("plan", "write-prompt", "1", "--description", "d");
    const cleared = await atEveryStep("kill", original, {
      args: ["plan", "clear-prompt", "1"],
      async look(project) {
        const { json } = await project.envoy("plan", "clear-prompt", "1");
        expect(json.data?.removed ?? json.error.type).toBeOneOf([true, "prompt_not_found"]);
        expect(existsSync(join(project.plan, "prompts/1.md"))).toBe(false);
      },
    });
    const archived = await atEveryStep("kill", original, {
      args: ["plan", "archive"],
      async look(project) {
        const { json } = await project.envoy("plan", "archive");
        expect(json.data?.plan ?? json.error.type).toBeOneOf(["feature-login", "no_plan"]);
        expect(existsSync(join(project.root, ".envoy/plans/_archive/feature-login/prompts/1.md"))).toBe(true);
      },
    });
    expect([cleared > 5, archived > 1]).toEqual([true, true]);
  });
});

test("a full disk is named, with the exit code for it", async () => {
  const project = await withFindings();
  const { code, json } = await envoy(["plan", "write-finding", "ui", "--notes", "x"], {
    cwd: project.root,
    env: { ENVOY_FAILPOINT: "write.data=error:ENOSPC" },
  });
  expect(code).toBe(5);
  expect(json.error).toMatchObject({ type: "io_failed", message: expect.stringContaining("no space left") });
});

test("failpoints are inert outside of tests", async () => {
  const project = await withFindings();
  const run = await envoy(["plan", "write-finding", "ui", "--notes", "x"], {
    cwd: project.root,
    env: { ENVOY_FAILPOINT: "#1=kill", NODE_ENV: undefined },
  });
  expect(run.code).toBe(0);
});

test("another machine's lock is never stolen, but named", async () => {
  const project = await withFindings();
  project.write(
    ".lock",
    JSON.stringify({ pid: 1, host: "elsewhere", hostname: "elsewhere", boot: "x", bootId: "x", namespace: "x", start: "1", nonce: "n" }),
  );
  const { json } = await envoy(["plan", "write-finding", "ui", "--notes", "x"], { cwd: project.root });
  expect(json.error).toMatchObject({ type: "lock_held", message: expect.stringContaining(join(project.plan, ".lock")) });
  expect(existsSync(join(project.plan, ".lock"))).toBe(true);
  expect(project.read("findings/ui.yaml")).toBe(OLD);
  expect(hostname()).not.toBe("elsewhere");
});

test("a read command writes nothing", async () => {
  const project = await withFindings();
  const before = snapshot(project.root);
  for (const args of [
    ["plan", "get-findings"],
    ["plan", "list-prompts"],
    ["plan", "next"],
    ["plan", "list"],
    ["plan", "get-finding-approach", "ui", "1"],
    ["plan", "get-plan"],
  ])
    await project.envoy(...args);
  expect(snapshot(project.root)).toEqual(before);
});

function snapshot(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name), "latin1")]),
  );
}
