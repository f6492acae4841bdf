import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { envoy } from "../support/envoy.ts";
import { git, newProject, projectAt, temporaryFolder } from "../support/project.ts";

test("init is harmless to repeat, says since when, and keeps git status clean", async () => {
  const project = await newProject({ init: false });
  await project.error("no_plan", "plan", "get-findings");
  expect(existsSync(join(project.root, ".envoy"))).toBe(false);
  const first = await project.data("plan", "init");
  expect(first).toMatchObject({ plan: "feature-login", branch: "feature/login", created: true });
  expect(first.message).toBeUndefined();
  expect(await project.data("plan", "init")).toMatchObject({
    created: false,
    created_at: first.created_at,
    message: expect.stringContaining(`already, since ${first.created_at}`),
  });
  expect(git(project.root, "status", "--porcelain")).toBe("");
});

test("write-plan keeps what is not given; get-plan reads it", async () => {
  const project = await newProject();
  expect(await project.error("plan_not_written", "plan", "get-plan")).toMatchObject({ code: 3 });
  await envoy(["plan", "write-plan", "--title", "Login: now", "--objective", "Sign in", "--input", "-"], {
    cwd: project.root,
    input: "# Steps\n\n1. One\n",
  });
  await project.data("plan", "write-plan", "--objective", "Sign in fast");
  expect(await project.data("plan", "get-plan")).toMatchObject({
    title: "Login: now",
    objective: "Sign in fast",
    context: "# Steps\n\n1. One",
    branch: "feature/login",
  });
  expect(project.read("plan.md")).toBe('---\ntitle: "Login: now"\nobjective: Sign in fast\n---\n# Steps\n\n1. One\n');
  await project.error("missing_argument", "plan", "write-plan");
});

test("list shows all plans; archive puts one away and keeps an older one of the same name", async () => {
  const project = await newProject();
  git(project.root, "checkout", "-q", "-b", "other");
  await project.data("plan", "init");
  expect((await project.data("plan", "list")).plans.map((p: any) => p.branch)).toEqual(["feature/login", "other"]);
  const archived = await project.data("plan", "archive", "feature-login");
  expect(existsSync(join(archived.archived_to, "plan.json"))).toBe(true);
  expect((await project.data("plan", "list")).plans.map((p: any) => p.branch)).toEqual(["other"]);
  git(project.root, "checkout", "-q", "feature/login");
  await project.error("no_plan", "plan", "get-findings");
  await project.data("plan", "init");
  expect((await project.data("plan", "archive")).archived_to).toBe(`${archived.archived_to}-2`);
  expect((await project.error("plan_not_found", "plan", "archive", "../other")).message).toContain("other");
});

test("list shows open gates, and archive refuses a plan that has one", async () => {
  const project = await newProject();
  project.write("user_feedback/plan_gate.yaml", "done: false\n");
  expect(await project.error("plan_in_use", "plan", "archive")).toMatchObject({ code: 3, message: expect.stringContaining("plan_gate") });
  expect((await project.data("plan", "list")).plans[0].open_gates).toEqual(["plan_gate"]);
});

test("archive puts away the plan that --plan-dir names, not another of the same name", async () => {
  const project = await newProject();
  const folder = temporaryFolder();
  const elsewhere = join(folder, "feature-login");
  await project.data("plan", "init", "--plan-dir", elsewhere);
  expect(await project.data("plan", "archive", "--plan-dir", elsewhere)).toMatchObject({
    archived_to: join(folder, "_archive/feature-login"),
  });
  expect(existsSync(join(project.plan, "plan.json"))).toBe(true);
});

test("long texts come from a flag, a file or stdin, for every write command", async () => {
  const project = await newProject();
  const long = "A long line, see PR #12: done\n".repeat(20_000);
  project.write("long.md", long.replaceAll("\n", "\r\n"));
  const file = join(project.plan, "long.md");
  const commands: [string[], string[]][] = [
    [
      ["plan", "write-approach", "ui", "1"],
      ["plan", "get-finding-approach", "ui", "1"],
    ],
    [
      ["plan", "write-plan"],
      ["plan", "get-plan"],
    ],
    [
      ["plan", "write-prompt", "1", "--description", "d"],
      ["plan", "get-prompt", "1"],
    ],
  ];
  for (const [write, read] of commands) {
    await project.data(...write, "--context", "short\r\ntext");
    expect(JSON.stringify(await project.data(...read))).toContain("short\\ntext");
    await project.data(...write, "--input", file);
    expect(JSON.stringify(await project.data(...read))).toContain(JSON.stringify(long.trim()).slice(1, -1));
    expect((await envoy([...write, "--input", "-"], { cwd: project.root, input: "from\r\nstdin" })).code).toBe(0);
    expect(JSON.stringify(await project.data(...read))).toContain("from\\nstdin");
    expect((await envoy([...write, "--input", "-"], { cwd: project.root, input: "a\0b" })).json.error.type).toBe("input_unreadable");
  }
  expect((await envoy(["plan", "append-user-input", "--input", file], { cwd: project.root })).code).toBe(0);
  expect(project.read("user_input.md")).toContain(long);
});

test("works in a plan named by --plan-dir or ENVOY_PLAN_DIR, from anywhere", async () => {
  const folder = temporaryFolder();
  const project = projectAt(folder, join(folder, "my-plan"));
  await project.error("no_plan", "plan", "get-findings", "--plan-dir", "my-plan");
  await project.data("plan", "init", "--plan-dir", "my-plan");
  await project.data("plan", "write-finding", "ui", "--notes", "n", "--plan-dir", "my-plan");
  mkdirSync(join(folder, "sub"));
  const run = await envoy(["plan", "get-findings"], { cwd: join(folder, "sub"), env: { ENVOY_PLAN_DIR: join(folder, "my-plan") } });
  expect(run.json.data.findings).toHaveLength(1);
});

test.each(["../x", "a/b", "UPPER", "-x", "", "a b", "ä", "a.b", "x".repeat(65), "__proto__x/.."])(
  "refuses the specialist %j by name and rule",
  async (name) => {
    const project = await newProject();
    const { code, message } = await project.error("invalid_argument", "plan", "write-finding", "--notes", "x", "--", name);
    expect(code).toBe(2);
    expect(message).toContain("lower-case letters");
  },
);

test.each([["0"], ["-1"], ["1.5"], ["01"], ["1e3"], ["1a"], ["1", "a"], ["1", "AB"], ["1_"], ["1A", "B"], ["../1"], ["9999999999"], [""]])(
  "refuses the prompt %j %j by name and rule",
  async (...id) => {
    const project = await newProject();
    const { code, message } = await project.error("invalid_argument", "plan", "get-prompt", "--", ...id);
    expect(code).toBe(2);
    expect(message).toContain("positive whole number");
  },
);
