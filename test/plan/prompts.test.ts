import { existsSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { envoy } from "../support/envoy.ts";
import { folderOutsideGit, git, newProject, projectAt, temporaryFolder } from "../support/project.ts";

describe("write-prompt", () => {
  test("writes front matter and text, and reads both back", async () => {
    const project = await newProject();
    const flags = [
      "--description",
      "Form",
      "--kind",
      "debug",
      "--files",
      "a.ts,b.ts",
      "--criteria",
      "It works",
      "--depends-on",
      "1",
      "--requires-manual-testing",
    ];
    const run = await envoy(["plan", "write-prompt", "2", "A", ...flags, "--input", "-"], {
      cwd: project.root,
      input: "# Text\n\n---\n\nmore\n",
    });
    expect(run.json.data).toMatchObject({ prompt_id: "2_A", status: "unimplemented", created: true });
    expect(await project.data("plan", "get-prompt", "2_A")).toEqual({
      prompt_id: "2_A",
      number: 2,
      variant: "A",
      description: "Form",
      kind: "debug",
      relevant_files: ["a.ts", "b.ts"],
      success_criteria: "It works",
      depends_on: [1],
      requires_manual_testing: true,
      in_progress: false,
      status: "unimplemented",
      context: "# Text\n\n---\n\nmore",
      file: join(project.plan, "prompts/2A.md"),
    });
  });

  test("keeps every byte outside the keys it sets", async () => {
    const project = await newProject();
    const text =
      "---\n# a person's note\nnumber: 1\nvariant: null\ndescription:   'old'   # why\nstatus:    reviewed\nworktree_branch_name: feature/login--1\nvariant_solution: main\nowner: {name: Ada}\n---  \n\n\tBody with trailing space \nno final newline";
    project.write("prompts/1.md", text);
    await project.data("plan", "complete-prompt", "1");
    expect(project.read("prompts/1.md")).toBe(
      text
        .replace("status:    reviewed", "status: implemented")
        .replace("owner: {name: Ada}\n", "owner: {name: Ada}\nin_progress: false\n"),
    );
    await project.data("plan", "write-prompt", "1", "--description", "new: text # x");
    const rewritten = project.read("prompts/1.md");
    expect(await project.data("plan", "get-prompt", "1")).toMatchObject({
      status: "implemented",
      worktree_branch_name: "feature/login--1",
      variant_solution: "main",
      owner: { name: "Ada" },
    });
    expect(rewritten).toContain(
      'description: "new: text # x"   # why\nstatus: implemented\nworktree_branch_name: feature/login--1\nvariant_solution: main\n',
    );
    expect(rewritten.endsWith("---  \n\n\tBody with trailing space \nno final newline")).toBe(true);
  });

  test("takes manual testing back when asked to", async () => {
    const project = await newProject();
    await project.data("plan", "write-prompt", "1", "--description", "d", "--requires-manual-testing");
    await project.data("plan", "write-prompt", "1", "--description", "e");
    expect(await project.data("plan", "get-prompt", "1")).toMatchObject({ requires_manual_testing: true });
    await project.data("plan", "write-prompt", "1", "--description", "e", "--requires-manual-testing=false");
    expect(await project.data("plan", "get-prompt", "1")).toMatchObject({ requires_manual_testing: false });
  });

  test("never mixes a standalone prompt with variants", async () => {
    const project = await newProject();
    await project.data("plan", "write-prompt", "1", "--description", "d");
    await project.error("standalone_exists", "plan", "write-prompt", "1A", "--description", "d");
    await project.data("plan", "clear-prompt", "1");
    await project.data("plan", "write-prompt", "1A", "--description", "d");
    expect(await project.error("variants_exist", "plan", "write-prompt", "1", "--description", "d")).toMatchObject({ code: 3 });
  });

  test("refuses what cannot be meant", async () => {
    const project = await newProject();
    await project.error("missing_argument", "plan", "write-prompt", "1");
    await project.error("missing_argument", "plan", "write-prompt", "1", "--description", "  ");
    await project.error("invalid_argument", "plan", "write-prompt", "1", "--description", "d", "--depends-on", "1");
    await project.error("invalid_argument", "plan", "write-prompt", "1", "--description", "d", "--depends-on", "1,x");
    await project.error("invalid_argument", "plan", "write-prompt", "1", "--description", "d", "--kind", "chore");
    expect(existsSync(join(project.plan, "prompts/1.md"))).toBe(false);
  });
});

test("finds the original's prompt names and keeps them", async () => {
  const root = temporaryFolder();
  git(root, "init", "-q", "-b", "feature/x");
  mkdirSync(join(root, ".claude/plans/feature-x/prompts"), { recursive: true });
  const project = projectAt(root, join(root, ".claude/plans/feature-x"));
  project.write("prompts/2_A.md", "---\nnumber: 2\nvariant: A\nstatus: unimplemented\n---\ntext\n");
  const run = (...args: string[]) => envoy(args, { cwd: root, env: { ENVOY_DIR: ".claude" } });
  expect((await run("plan", "complete-prompt", "2A")).json.data).toMatchObject({ status: "implemented" });
  expect(project.read("prompts/2_A.md")).toContain("status: implemented\n");
  expect((await run("plan", "init")).json.data).toMatchObject({ plan: "feature-x", branch: "feature/x" });
  expect((await run("plan", "list-prompts")).json.data.prompts).toHaveLength(1);
  expect((await run("plan", "write-prompt", "2_A", "--description", "new")).json.data).toMatchObject({
    status: "implemented",
    created: false,
    file: join(root, ".claude/plans/feature-x/prompts/2_A.md"),
  });
  expect((await run("plan", "write-prompt", "2B", "--description", "b")).json.data.file).toMatch(/2B\.md$/);
  expect((await run("plan", "write-finding", "ui", "--notes", "n")).code).toBe(0);
  expect(project.read("findings/ui.yaml")).toContain("notes: n");
  expect(existsSync(join(root, ".envoy"))).toBe(false);
  project.write("prompts/2A.md", "---\nnumber: 2\nvariant: A\nstatus: tested\n---\n");
  expect((await run("plan", "get-prompt", "2A")).json.error).toMatchObject({
    type: "invalid_file",
    message: expect.stringContaining("second file"),
  });
});

test("next names what can be begun and what the others wait for", async () => {
  const project = await newProject();
  const write = (id: string, ...flags: string[]) => project.data("plan", "write-prompt", id, "--description", id, ...flags);
  await write("1");
  await write("2A", "--depends-on", "1");
  await write("2B", "--depends-on", "1");
  await write("3", "--depends-on", "2,9");
  const ready = async () => ((await project.data("plan", "next")).prompts ?? []).map((p: any) => p.prompt_id);
  expect(await ready()).toEqual(["1"]);
  await project.data("plan", "set-prompt-status", "1", "--status", "tested");
  expect(await ready()).toEqual(["2_A", "2_B"]);
  await project.data("plan", "set-prompt-status", "2A", "--status", "tested");
  expect(await project.data("plan", "next")).toMatchObject({ waiting: [{ prompt_id: "3", waits_for: [2, 9] }] });
  project.write("prompts/2A.md", project.read("prompts/2A.md").replace("variant_solution: null", "variant_solution: main"));
  project.write("prompts/2B.md", project.read("prompts/2B.md").replace("variant_solution: null", "variant_solution: discard"));
  expect(await project.data("plan", "next")).toEqual({
    waiting: [{ prompt_id: "3", waits_for: [9] }],
    message: "Nothing can begin now: 3 waits for 9, and there is no prompt 9.",
    next: "Write it: envoy plan write-prompt 9 --description …",
  });
});

test("next says why nothing can begin, and which command brings the plan on", async () => {
  const project = await newProject();
  const next = () => project.data("plan", "next");
  const write = (id: string, ...flags: string[]) => project.data("plan", "write-prompt", id, "--description", id, ...flags);
  expect(await next()).toEqual({ message: "The plan has no prompts yet.", next: expect.stringContaining("envoy plan write-prompt 1 ") });
  await write("1", "--requires-manual-testing");
  await write("2", "--depends-on", "1");
  expect(await next()).not.toHaveProperty("message");
  await project.data("plan", "start-prompt", "1");
  expect(await next()).toEqual({
    waiting: [{ prompt_id: "2", waits_for: [1] }],
    message: "Nothing can begin now: 1 is in progress; 2 waits for 1.",
    next: "When 1 is implemented: envoy plan complete-prompt 1",
  });
  await project.data("plan", "complete-prompt", "1");
  expect(await next()).toMatchObject({
    message: "Nothing can begin now: 1 is implemented but not tested; 2 waits for 1.",
    next: "Have it tested: envoy plan block-prompt-testing-gate 1",
  });
  await project.data("plan", "set-prompt-status", "1", "--status", "merged");
  await project.data("plan", "complete-prompt", "2");
  expect((await next()).next).toBe("When it works: envoy plan set-prompt-status 2 --status tested");
  await project.data("plan", "set-prompt-status", "2", "--status", "tested");
  expect(await project.data("plan", "next", "--plan-dir", project.plan)).toEqual({
    message: "All prompts are done; not merged yet: 2.",
    next: `Merge 2, then envoy plan set-prompt-status 2 --status merged --plan-dir ${project.plan}`,
  });
  await project.data("plan", "set-prompt-status", "2", "--status", "merged");
  expect(await next()).toEqual({ message: "All prompts are done and merged.", next: "Put the plan away: envoy plan archive" });
});

test("next sends variants to their gate when all are ready, and names prompts that wait for each other", async () => {
  const project = await newProject();
  const next = () => project.data("plan", "next");
  for (const id of ["2A", "2B"]) await project.data("plan", "write-prompt", id, "--description", id);
  await project.data("plan", "complete-prompt", "2A");
  await project.data("plan", "start-prompt", "2B");
  expect((await next()).next).toBe("When 2_B is implemented: envoy plan complete-prompt 2 B");
  await project.data("plan", "complete-prompt", "2B");
  expect((await next()).next).toBe("Have a variant chosen: envoy plan block-prompt-variants-gate 2 A");
  for (const id of ["2A", "2B"]) await project.data("plan", "clear-prompt", id, "--force");
  await project.data("plan", "write-prompt", "3", "--description", "x", "--depends-on", "4");
  await project.data("plan", "write-prompt", "4", "--description", "x", "--depends-on", "3");
  expect(await next()).toMatchObject({
    message: "Nothing can begin now: 3 waits for 4; 4 waits for 3.",
    next: expect.stringContaining("envoy plan write-prompt 3 --depends-on …"),
  });
});

test("only a person's gate sets tested where manual testing is required", async () => {
  const project = await newProject();
  await project.data("plan", "write-prompt", "1", "--description", "d", "--requires-manual-testing");
  const refused = await project.error("tested_by_gate_only", "plan", "set-prompt-status", "1", "--status", "tested");
  expect(refused).toMatchObject({ code: 3, suggestion: expect.stringContaining("block-prompt-testing-gate 1") });
  expect(await project.data("plan", "set-prompt-status", "1", "--status", "reviewed")).toMatchObject({
    status: "reviewed",
    status_before: "unimplemented",
  });
  await project.error("missing_argument", "plan", "set-prompt-status", "1");
  await project.error("invalid_argument", "plan", "set-prompt-status", "1", "--status", "done");
});

describe("start-prompt", () => {
  test("makes a branch and a worktree from the feature branch, once", async () => {
    const project = await newProject();
    await project.data("plan", "write-prompt", "2A", "--description", "d");
    const started = await project.data("plan", "start-prompt", "2", "A");
    expect(started).toMatchObject({ prompt_id: "2_A", worktree_branch_name: "feature/login--2A", in_progress: true, created: true });
    expect(git(started.worktree, "symbolic-ref", "HEAD")).toBe("refs/heads/feature/login--2A");
    expect(git(project.root, "rev-parse", "feature/login")).toBe(git(started.worktree, "rev-parse", "HEAD"));
    expect(git(project.root, "status", "--porcelain")).toBe("");
    expect(await project.data("plan", "start-prompt", "2A")).toMatchObject({ worktree: started.worktree, created: false });
    const inside = await envoy(["plan", "get-prompt", "2A"], { cwd: started.worktree });
    expect(inside.json.data).toMatchObject({ worktree_branch_name: "feature/login--2A", in_progress: true });
    expect((await project.error("prompt_in_use", "plan", "clear-prompt", "2A")).suggestion).toContain("--force");
    await project.data("plan", "clear-prompt", "2A", "--force");
    expect(git(project.root, "branch", "--list", "feature/login--2A")).toContain("feature/login--2A");
  });

  test("takes another place, and brings a lost worktree back on the same branch", async () => {
    const project = await newProject();
    await project.data("plan", "write-prompt", "1", "--description", "d");
    const place = join(realpathSync(temporaryFolder()), "tree");
    expect(await project.data("plan", "start-prompt", "1", "--worktree", place)).toMatchObject({ worktree: place });
    git(place, "commit", "-q", "--allow-empty", "-m", "work");
    const commit = git(place, "rev-parse", "HEAD");
    rmSync(place, { recursive: true });
    const again = await project.data("plan", "start-prompt", "1");
    expect(git(again.worktree, "rev-parse", "HEAD")).toBe(commit);
  });

  test.each(["../../x", "@{-1}", "-f", "a b", "HEAD^", "feature/login"])("refuses %j as a prompt's branch", async (branch) => {
    const project = await newProject();
    await project.data("plan", "write-prompt", "1", "--description", "d");
    const text = project.read("prompts/1.md").replace("worktree_branch_name: null", `worktree_branch_name: ${JSON.stringify(branch)}`);
    project.write("prompts/1.md", text);
    const { code, json } = await project.envoy("plan", "start-prompt", "1");
    expect(code).toBeOneOf([4, 5]);
    expect(json.error.type).toBeOneOf(["git_failed", "invalid_file"]);
    expect(project.read("prompts/1.md")).toBe(text);
    expect(git(project.root, "worktree", "list").split("\n")).toHaveLength(1);
  });

  test("records a worktree that a killed run left unrecorded", async () => {
    const project = await newProject();
    await project.data("plan", "write-prompt", "1", "--description", "d");
    const { worktree } = await project.data("plan", "start-prompt", "1");
    project.write("prompts/1.md", project.read("prompts/1.md").replace("feature/login--1", "null"));
    expect(await project.data("plan", "start-prompt", "1")).toMatchObject({ worktree, created: false });
    expect(project.read("prompts/1.md")).toContain("worktree_branch_name: feature/login--1");
  });

  test("refuses a taken branch, a taken path, no commits, no git", async () => {
    const project = await newProject();
    await project.data("plan", "write-prompt", "1", "--description", "d");
    git(project.root, "branch", "feature/login--1");
    await project.error("branch_exists", "plan", "start-prompt", "1");
    git(project.root, "branch", "-D", "feature/login--1");
    mkdirSync(join(project.root, "taken"));
    await project.error("path_taken", "plan", "start-prompt", "1", "--worktree", "taken");
    expect(project.read("prompts/1.md")).toContain("in_progress: false");
    await project.error("prompt_not_found", "plan", "start-prompt", "7");

    const outside = projectAt(folderOutsideGit(), "");
    await outside.data("plan", "init");
    await outside.data("plan", "write-prompt", "1", "--description", "d");
    expect(await outside.error("not_in_git", "plan", "start-prompt", "1")).toMatchObject({ code: 3 });

    const unborn = temporaryFolder();
    git(unborn, "init", "-q", "-b", "main");
    const empty = projectAt(unborn, "");
    await empty.data("plan", "init");
    await empty.data("plan", "write-prompt", "1", "--description", "d");
    await empty.error("no_commits", "plan", "start-prompt", "1");
  });
});
