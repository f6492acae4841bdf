// What gates are made of, through the built binary: formulas, groups, `when`, mistakes, and what befalls a command.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isAlive } from "../support/processes.ts";
import { APPROVAL, logged, qualityProject, reviewer } from "../support/quality.ts";

const CLEAN = JSON.stringify(reviewer("clean.mjs"));
const outcomes = (run: { json: { data: any } }) => run.json.data.gates.map(({ name, outcome }: any) => `${name} ${outcome}`);

describe("a formula", () => {
  const own = [logged("tests", "true"), logged("typecheck", "true"), `{ name: code_review, reviewer: ${CLEAN}, max_parallel: 1 }`];

  it.each([
    ["code-review", own, ["tests passed", "typecheck passed", "code_review passed"]],
    ["quick-review", [own[0]!, own[2]!], ["tests passed", "code_review passed"]],
    [
      "security-audit",
      [own[0]!, own[2]!, "{ name: human_approval, when: task.priority == 1 }"],
      ["tests passed", "code_review passed", "human_approval skipped"],
    ],
  ])("%s runs with the commands that the list lays over it", async (formula, list, expected) => {
    const run = await qualityProject(list, { formula }).gates();
    expect(run.code).toBe(0);
    expect(outcomes(run)).toEqual(expected);
  });

  it("none passes, with a warning", async () => {
    const run = await qualityProject([]).gates();
    expect(run).toMatchObject({ code: 0, json: { data: { outcome: "passed", warnings: [expect.stringContaining("unchecked")] } } });
  });

  it("written out by init keeps what is there, and says what is missing", async () => {
    const project = qualityProject([]);
    project.configure("# ours\nnotify: { command: 'true' }\n");
    const made = await project.run("gates", "init", "--formula", "quick-review");
    expect(made.json.data).toMatchObject({ formula: "quick-review", gates: [{ name: "tests" }, { name: "code_review" }] });
    expect(made.json.data.issues).toMatchObject([{ path: "gates.list.1.reviewer", line: expect.any(Number) }]);
    const text = readFileSync(join(project.root, ".envoy/config.yaml"), "utf8");
    expect(text).toMatch(/^# ours\nnotify: { command: 'true' }\n/);
    expect(text).toContain("command: npm test");
    await project.run("gates", "init");
    expect(readFileSync(join(project.root, ".envoy/config.yaml"), "utf8")).toBe(text);
  });
});

describe("gates", () => {
  it("that are serial run alone and in order; a failed one ends the run", async () => {
    const gates = [logged("one", "true", ", serial: true"), logged("two", "false", ", serial: true"), logged("three", "true")];
    const project = qualityProject(gates);
    expect(outcomes(await project.gates())).toEqual(["one passed", "two failed", "three skipped"]);
    expect(project.log()).toEqual(["one", "two"]);
  });

  it("between two serial ones run together, and all their findings are gathered", async () => {
    const run = await qualityProject([logged("one", "false"), logged("two", "echo bad; false"), logged("three", "true")]).gates();
    expect(outcomes(run)).toEqual(["one failed", "two failed", "three passed"]);
    expect(run.json.data.feedback.map(({ gate_name }: any) => gate_name)).toEqual(["one", "two"]);
  });

  it("with fail_fast call the others off", async () => {
    const forever = "node -e 'setInterval(() => {}, 60000)'";
    const run = await qualityProject([logged("fast", "false", ", fail_fast: true"), logged("slow", forever)]).gates();
    expect(outcomes(run)).toEqual(["fast failed", "slow skipped"]);
  });

  it("are left out by `when`, which knows the task and the changed files", async () => {
    const project = qualityProject([
      logged("urgent", "true", ", when: 'task.priority == 1'"),
      logged("sums", "true", `, when: 'changed_files matches "src/**"'`),
      APPROVAL.replace(" }", `, when: 'task.size == "L"' }`),
    ]);
    project.mend();
    expect(outcomes(await project.gates())).toEqual(["urgent skipped", "sums passed", "approval skipped"]);
    await project.run("task", "set", "feature-sum", "--priority", "P1");
    project.edit("src/x.js", "");
    expect(outcomes(await project.gates())).toEqual(["urgent passed", "sums passed", "approval skipped"]);
  });

  it("are never left out because `when` cannot be told", async () => {
    const project = qualityProject([logged("urgent", "true", ", when: 'task.priority < 3'")]);
    const run = await project.gates();
    expect(run).toMatchObject({
      code: 4,
      json: { error: { type: "invalid_gates", issues: [{ message: expect.stringContaining("column 15") }] } },
    });
    expect(project.log()).toEqual([]);
  });

  it("take quoted arguments and `&&`, and pass by their exit code alone", async () => {
    const text = `test "a b" = 'a b' && echo "0 errors, FAILED: none"`;
    const run = await qualityProject([logged("tests", text)]).gates();
    expect(run.json.data).toMatchObject({ outcome: "passed" });
  });
});

describe("what befalls a gate is no verdict and uses up no round", () => {
  const REVIEWED = (script: string) =>
    `{ name: code_review, type: parallel_review, dimensions: [security], reviewer: ${JSON.stringify(reviewer(script))} }`;

  it.each([
    ["a command that cannot start", logged("tests", "no-such-program"), "not found"],
    ["a command that is killed", logged("tests", "kill -9 $$"), "killed (SIGKILL)"],
    ["a reviewer that prints garbage", REVIEWED("garbage.mjs"), "garbage.mjs"],
    ["a reviewer that prints nothing", REVIEWED("nothing.mjs"), "nothing.mjs"],
    ["a reviewer that fails", REVIEWED("crash.mjs"), "quota used up"],
    ["a reviewer that speaks of files that do not exist", REVIEWED("missing-file.mjs"), "src/imagined.ts"],
  ])("%s", async (_what, gate, said) => {
    const project = qualityProject([gate], { retry: "{ max_iterations: 1 }" });
    project.mend();
    const run = await project.gates();
    expect(run.code).toBe(5);
    expect(run.json.data).toMatchObject({ outcome: "error", proceed: false, summary: expect.stringContaining(said) });
    expect(run.json.data).not.toHaveProperty("feedback");
    expect(await project.status()).toMatchObject({ phase: "evaluating", iteration: 1 });
    expect((await project.gates()).json.data).toMatchObject({ outcome: "error", iteration: 1 });
  });

  it("a command that takes too long, whose descendants are gone afterwards", async () => {
    const left = `node -e 'require("fs").appendFileSync(process.env.LOG, process.pid + "\\n"); setInterval(() => {}, 60000)'`;
    const project = qualityProject([`{ name: tests, type: command, timeout: 2s, command: ${JSON.stringify(`setsid ${left} & ${left}`)} }`]);
    const run = await project.gates();
    expect(run).toMatchObject({ code: 5, json: { data: { outcome: "error", summary: expect.stringContaining("longer than 2 s") } } });
    expect(project.log().map((pid) => isAlive(Number(pid)))).not.toContain(true);
  });

  it("but a command that exits with a failure is one", async () => {
    expect(await qualityProject([logged("tests", "exit 3")]).gates()).toMatchObject({ code: 10, json: { data: { outcome: "failed" } } });
  });
});

describe("a wrong configuration", () => {
  it.each([
    ["an unknown type", "gates: { formula: none, list: [{ name: a, type: magic }] }", "invalid_file"],
    ["a gate without a command", "gates: { formula: none, list: [{ name: a, type: command }] }", "invalid_gates"],
    ["a formula whose gates have no command", "gates: { formula: quick-review }", "invalid_gates"],
    ["what is not YAML", "gates: [", "invalid_file"],
    [
      "a wrong `when`",
      "gates: { formula: none, list: [{ name: a, type: command, command: 'true', when: 'task.priority == process.exit()' }] }",
      "invalid_gates",
    ],
  ])("with %s is refused, and nothing runs", async (_what, text, type) => {
    const project = qualityProject([]);
    project.configure(`${text}\n`);
    for (const command of [
      ["gates", "validate"],
      ["gates", "run"],
    ]) {
      const run = await project.run(...command);
      expect(run.code).toBe(4);
      expect(run.json.error).toMatchObject({ type });
      expect(run.json.error.issues[0]).toMatchObject({ line: expect.any(Number), column: expect.any(Number) });
    }
    expect(existsSync(join(project.root, ".envoy/state/rounds"))).toBe(false);
  });

  it("is told at once with every mistake, and the column of a wrong `when`", async () => {
    const project = qualityProject([
      logged("a", "true", `, when: 'task.priorty == 1'`),
      "{ name: b, type: human }",
      "{ name: a, type: human, prompt: Look }",
    ]);
    const { issues } = (await project.run("gates", "validate")).json.error;
    expect(issues.map(({ line }: any) => line)).toEqual([4, 5, 6]);
    expect(issues[0]).toMatchObject({ message: expect.stringMatching(/column 1 of the expression: .*task.priority/) });
  });

  it("is shown resolved where it is right", async () => {
    const shown = await qualityProject([logged("a", "true", ", when: 'task.priority==1'"), APPROVAL]).run("gates", "validate");
    expect(shown.json.data.gates).toEqual([
      { name: "a", type: "command", serial: false, fail_fast: false, when: "task.priority == 1" },
      { name: "approval", type: "human", serial: false, fail_fast: false },
    ]);
  });
});

it("shows every task's phase as a table of one list", async () => {
  const project = qualityProject([APPROVAL]);
  await project.gates("--wait", "1ms");
  await project.gates("--task", "other", "--wait", "1ms");
  const { tasks } = (await project.run("gates", "status")).json.data;
  expect(tasks).toMatchObject([
    { task_id: "feature-sum", phase: "evaluating", waits_for: [{ gate: "feature-sum_approval", file: expect.any(String) }] },
    { task_id: "other", phase: "evaluating" },
  ]);
  expect((await project.run("gates", "status", "--task", "other")).json.data.tasks).toHaveLength(1);
});
