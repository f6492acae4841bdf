import { existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { envoy } from "./support/envoy.ts";
import { newProject, type TestProject } from "./support/project.ts";

/** A process killed while it prepares a lock leaves that one small file behind, which disturbs nobody. */
const leftovers = (plan: string) =>
  readdirSync(plan, { recursive: true, encoding: "utf8" }).filter((name) => /\.tmp$|\.lock$/.test(name) && !/\.lock\..*\.tmp$/.test(name));

/** Fails at the 1st, 2nd, … step until none is hit. */
async function atEveryStep(
  action: string,
  prepare: () => Promise<TestProject>,
  check: { args: string[]; look: (project: TestProject, hit: boolean) => Promise<void> | void },
): Promise<number> {
  for (let step = 1; ; step++) {
    const project = await prepare();
    const { code, signal } = await envoy(check.args, { cwd: project.root, env: { ENVOY_FAILPOINT: `#${step}=${action}` } });
    const hit = signal === "SIGKILL" || code !== 0;
    await check.look(project, hit);
    rmSync(project.root, { recursive: true, force: true });
    if (!hit) return step - 1;
  }
}

const OLD = "# top\nspecialist_name: ui\nnotes: old\n";
async function withFindings(): Promise<TestProject> {
  const project = await newProject();
  project.write("findings/ui.yaml", OLD);
  return project;
}

describe.each(["kill", "error:ENOSPC", "error:EIO"])("a write with %s at any step", (action) => {
  test("leaves the old findings or the new ones, whole, and the next command finishes the work", async () => {
    const steps = await atEveryStep(action, withFindings, {
      args: ["plan", "write-finding", "ui", "--notes", "new"],
      async look(project) {
        expect([OLD, OLD.replace("old", "new")]).toContain(project.read("findings/ui.yaml"));
        await project.data("plan", "write-finding", "ui", "--notes", "new");
        expect(project.read("findings/ui.yaml")).toBe(OLD.replace("old", "new"));
        expect(leftovers(project.plan)).toEqual([]);
      },
    });
    expect(steps).toBeGreaterThan(5);
  });

  test("never tears the audit trail", async () => {
    const entry = /^## [^\n]*\n<!-- entry [^\n]*\n\n```text\n(first|second)\n```\n$/;
    await atEveryStep(
      action,
      async () => {
        const project = await newProject();
        await project.data("plan", "append-user-input", "first");
        return project;
      },
      {
        args: ["plan", "append-user-input", "second"],
        look: (project) => {
          const entries = project.read("user_input.md").split(/\n(?=## )/);
          for (const one of entries) expect(one).toMatch(entry);
        },
      },
    );
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
