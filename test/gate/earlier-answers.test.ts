import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DONE, PLAN_GATE, plannedProject } from "../support/planned.ts";
import { git, newProject } from "../support/project.ts";
import { envoy } from "../support/envoy.ts";
import { WAITS } from "../support/waiter.ts";

const THOUGHTS = { "thoughts: |\n  ": "thoughts: |\n  Looks good, see PR #12" };

describe("an editor that still shows the form of an earlier gate", () => {
  async function withEarlierForm() {
    const project = await plannedProject();
    await project.gate("--wait", "1ms").end;
    const earlier = project.readForm().replace("thoughts: |\n  ", "thoughts: |\n  Said before").replace("done: false", "done: true");
    project.save(DONE);
    await project.data(...PLAN_GATE);
    return { project, earlier };
  }

  test("saves over a new one: that comes back saying so, and what was saved is kept and answers nothing", async () => {
    const { project, earlier } = await withEarlierForm();
    const { gate_id } = (await project.gate("--wait", "1ms").end).json.data;
    writeFileSync(project.form(), earlier);
    const { json, stderr } = await project.gate("--wait", "1ms").end;
    expect(json).toMatchObject({ status: "pending", data: { gate_id, form: "handed_back" } });
    const aside = /kept in (\S+\.yaml)/.exec(json.data.issues[0].message)![1]!;
    expect(readFileSync(aside, "utf8")).toBe(earlier);
    expect(stderr).toContain(aside);
    project.save({ ...THOUGHTS, ...DONE });
    expect(await project.data(...PLAN_GATE)).toMatchObject({ gate_id, proceed: true, thoughts: "Looks good, see PR #12" });
    expect(project.read("user_input.md")).not.toContain("Said before");
  });

  test("takes nothing away that the waiting agent has seen of the new one", async () => {
    const { project, earlier } = await withEarlierForm();
    const waiter = project.gate();
    await waiter.says(WAITS);
    project.save({ ...THOUGHTS, "done: false": "done: maybe" });
    await waiter.says(/neither true nor false/);
    writeFileSync(project.form(), earlier);
    await waiter.says(/earlier gate/);
    expect(project.readForm()).toContain("Looks good, see PR #12");
    project.save(DONE);
    expect((await waiter.end).json.data.thoughts).toBe("Looks good, see PR #12");
  });

  test("no other command takes an open form away, whatever end line a person left in it", async () => {
    const { project, earlier } = await withEarlierForm();
    await project.gate("--wait", "1ms").end;
    const endLine = earlier.trimEnd().split("\n").at(-1)!;
    project.save({ "thoughts: |\n  ": `thoughts: |\n  ${endLine}\n  Half a thought` });
    const begun = project.readForm();
    await project.data("plan", "list-prompts");
    expect(project.readForm()).toBe(begun);
  });
});

describe("a form that was finished while nobody waited", () => {
  test("is an answer, and cannot be withdrawn any more", async () => {
    const project = await plannedProject();
    const { gate_id } = (await project.gate("--wait", "1ms").end).json.data;
    project.save({ ...THOUGHTS, ...DONE });
    expect((await project.error("gate_ended", "withdraw", gate_id)).code).toBe(3);
    expect(await project.data("wait", gate_id)).toMatchObject({ proceed: true, thoughts: "Looks good, see PR #12" });
  });

  test("is taken by plan init too", async () => {
    const project = await plannedProject();
    await project.gate("--wait", "1ms").end;
    project.save(DONE);
    await project.data("plan", "init");
    expect(project.forms()).toEqual([]);
  });
});

describe("logs over the limit", () => {
  const LOGGING = ["plan", "block-debugging-logging-gate", "1"];
  const few = { MAX_LOGS_TOKENS: "3" };
  const paste = "one two three four five six seven";

  test("are told to the agent that asks next, once, whichever command found out", async () => {
    const project = await plannedProject();
    await project.start([...LOGGING, "--wait", "1ms"]).end;
    project.write("user_feedback/1_logging_logs.md", paste);
    project.save(DONE, "1_logging");
    await envoy(["plan", "list-prompts"], { cwd: project.root, env: few });
    const told = await project.start(LOGGING, few).end;
    expect(told.code).toBe(4);
    expect(told.json.error).toMatchObject({ type: "logs_too_large" });
    const again = await project.start([...LOGGING, "--wait", "1ms"], few).end;
    expect(again.json).toMatchObject({ status: "pending", data: { form: "handed_back" } });
  });

  test("end every wait for them, and the form stays", async () => {
    const project = await plannedProject();
    const waiters = [1, 2, 3].map(() => project.start(LOGGING, few));
    for (const waiter of waiters) await waiter.says(WAITS);
    project.write("user_feedback/1_logging_logs.md", paste);
    project.save(DONE, "1_logging");
    for (const waiter of waiters) expect((await waiter.end).json).toMatchObject({ error: { type: "logs_too_large" } });
    expect(project.forms()).toEqual(["1_logging.yaml", "1_logging_logs.md"]);
  });
});

test("a plan that was committed without envoy's .gitignore gets one with its first gate, so that no stash takes the form away", async () => {
  const project = await newProject({ init: false });
  const prompts = join(project.root, ".claude/plans/feature-login/prompts");
  mkdirSync(prompts, { recursive: true });
  writeFileSync(join(prompts, "2_A.md"), "---\nnumber: 2\nvariant: A\nstatus: implemented\ndescription: Build it\n---\n");
  git(project.root, "add", "-A");
  git(project.root, "commit", "-q", "-m", "the plan");
  const env = { ENVOY_DIR: ".claude" };
  const { json } = await envoy([...PLAN_GATE, "--wait", "1ms"], { cwd: project.root, env });
  expect(json.data.gate).toBe("plan_gate");
  expect(git(project.root, "status", "--porcelain")).toBe("");
  git(project.root, "stash", "-u");
  writeFileSync(json.data.file, readFileSync(json.data.file, "utf8").replace("done: false", "done: true"));
  expect((await envoy(["wait", json.data.gate_id], { cwd: project.root, env })).json.data.proceed).toBe(true);
});
