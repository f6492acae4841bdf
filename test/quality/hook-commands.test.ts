// The hooks as Claude Code runs them: JSON on stdin, its exit codes and output. Whatever goes wrong denies.
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BINARY, type Run, cleanEnvironment } from "../support/envoy.ts";
import { isAlive } from "../support/processes.ts";
import { APPROVAL, type QualityProject, TESTS, logged, qualityProject } from "../support/quality.ts";

const AGENT = { ENVOY_AGENT_ID: "builder-1" };
const toolCall = (command: string, more: object = {}) => ({
  session_id: "s-1",
  transcript_path: "/tmp/transcript.jsonl",
  cwd: "/tmp",
  permission_mode: "default",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command, description: "Run it" },
  ...more,
});
const stopping = ({ root }: QualityProject, more: object = {}) => ({
  session_id: "s-1",
  transcript_path: "/tmp/transcript.jsonl",
  cwd: root,
  permission_mode: "default",
  hook_event_name: "Stop",
  stop_hook_active: false,
  ...more,
});

const nothing = { code: 0, stdout: "", stderr: "" };
const denial = (run: Run) => (JSON.parse(run.stdout) as any).hookSpecificOutput;
const decision = (run: Run) => JSON.parse(run.stdout) as { decision?: string; reason?: string; systemMessage?: string };

async function halted(): Promise<QualityProject> {
  const project = qualityProject([]);
  await project.run("halt", "--agent", "builder-1", "--reason", "Wrong branch");
  return project;
}

describe("before a tool call", () => {
  it("an agent that nothing halts is let be", async () => {
    expect(await qualityProject([]).hook("pre-tool-use", toolCall("rm -rf build"), { env: AGENT })).toMatchObject(nothing);
  });

  it("a halted agent is denied, with the reason", async () => {
    const project = await halted();
    const denied = await project.hook("pre-tool-use", toolCall("rm -rf build"), { env: AGENT });
    expect(denied.code).toBe(0);
    expect(denial(denied)).toMatchObject({ hookEventName: "PreToolUse", permissionDecision: "deny" });
    expect(denial(denied).permissionDecisionReason).toContain("Wrong branch");
    const edit = toolCall("", { tool_name: "Edit", tool_input: { file_path: "src/sum.js" } });
    expect(denial(await project.hook("pre-tool-use", edit, { env: AGENT })).permissionDecision).toBe("deny");
    expect(await project.hook("pre-tool-use", toolCall("ls"), { env: { ENVOY_AGENT_ID: "builder-2" } })).toMatchObject(nothing);
  });

  it("a halted agent may still wait, and nothing else in the same call", async () => {
    const project = await halted();
    for (const command of ["envoy wait q_7k2m9xq4twe --wait 9m", "envoy check --wait", "envoy show plan_gate", "envoy status"])
      expect(await project.hook("pre-tool-use", toolCall(command), { env: AGENT })).toMatchObject(nothing);
    for (const command of ["envoy wait q_1; rm -rf /", "envoy resume --agent builder-1", "envoy answer q_1 yes"])
      expect(denial(await project.hook("pre-tool-use", toolCall(command), { env: AGENT })).permissionDecision).toBe("deny");
  });

  it("an agent without a name is halted by the question that it asked", async () => {
    const project = qualityProject([]);
    const asked = await project.run("ask", "Which sign?", "--wait", "1ms");
    const denied = await project.hook("pre-tool-use", toolCall("ls"));
    expect(denial(denied).permissionDecisionReason).toContain(asked.json.data.question_id);
    await project.run("answer", asked.json.data.question_id, "plus");
    expect(await project.hook("pre-tool-use", toolCall("ls"))).toMatchObject(nothing);
  });

  it.each([
    ["words that are no JSON", "halt?"],
    ["nothing at all", ""],
    ["another hook's payload", { ...toolCall("ls"), hook_event_name: "PostToolUse" }],
  ])("%s on stdin denies", async (_what, payload) => {
    const denied = await qualityProject([]).hook("pre-tool-use", payload, { env: AGENT });
    expect(denied).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("envoy") });
  });

  it("a damaged record denies", async () => {
    const project = await halted();
    await project.run("ask", "Which sign?", "--agent", "builder-2", "--wait", "1ms");
    const { question_id } = (await project.run("questions")).json.data.questions[0];
    writeFileSync(join(project.root, ".envoy/questions", question_id, "00001.json"), "{");
    const denied = await project.hook("pre-tool-use", toolCall("ls"), { env: { ENVOY_AGENT_ID: "builder-3" } });
    expect(denied).toMatchObject({ code: 2, stderr: expect.stringContaining("00001.json") });
  });

  it("a wrong environment or a misspelt hook denies", async () => {
    const project = qualityProject([]);
    const wrong = await project.hook("pre-tool-use", toolCall("ls"), { env: { ENVOY_WAIT: "soon" } });
    expect(wrong).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("ENVOY_WAIT") });
    expect(await project.run("hook", "pre-tool")).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("pre-tool-use") });
  });

  it.each(["pre-tool-use", "stop"])("%s denies in time when the harness never finishes its payload", async (name) => {
    const { root } = qualityProject([]);
    const child = spawn(process.execPath, [BINARY, "hook", name, "--limit", "300ms"], { cwd: root, env: cleanEnvironment() });
    child.stdin.write('{"session_id"');
    expect(await exitOf(child)).toBe(2);
  });
});

const exitOf = (child: ChildProcess) => new Promise((done) => child.on("exit", done));

describe("an agent that stops", () => {
  it.each([
    ["no gates are configured", ""],
    ["nobody has made a task of this branch", "gates: { formula: none, list: [{ name: a, type: command, command: 'false' }] }\n"],
  ])("may where %s", async (_what, config) => {
    const project = qualityProject([]);
    project.configure(config);
    expect(await project.hook("stop", stopping(project))).toMatchObject(nothing);
  });

  it("what failed goes back to it, until the gates pass", async () => {
    const project = qualityProject([logged("tests", TESTS)]);
    await project.run("task", "set", "feature-sum");
    const kept = await project.hook("stop", stopping(project));
    expect(kept.code).toBe(0);
    expect(decision(kept)).toMatchObject({ decision: "block", reason: expect.stringContaining("-1 !== 5") });
    project.mend();
    expect(await project.hook("stop", stopping(project, { stop_hook_active: true }))).toMatchObject({ code: 0, stdout: "" });
    expect(await project.taskStatus()).toBe("ready_to_merge");
    expect(await project.hook("stop", stopping(project))).toMatchObject({ code: 0, stdout: "" });
    expect(project.log()).toEqual(["tests", "tests"]);
  });

  it("is named by ENVOY_TASK_ID, also where nobody has made the task", async () => {
    const project = qualityProject([logged("tests", TESTS)]);
    const kept = await project.hook("stop", stopping(project), { env: { ENVOY_TASK_ID: "sums" } });
    expect(decision(kept)).toMatchObject({ decision: "block", reason: expect.stringContaining("task sums") });
  });

  it("is never kept in a loop: the same feedback, the last round and a stuck task let it stop", async () => {
    const project = qualityProject([logged("tests", TESTS)], { retry: "{ strategy: same, max_iterations: 3 }" });
    await project.run("task", "set", "feature-sum");
    const again = () => project.hook("stop", stopping(project, { stop_hook_active: true }));
    expect(decision(await again())).toMatchObject({ decision: "block" });
    for (const _ of [2, 3, 4]) {
      const stopped = await again();
      expect(stopped.code).toBe(0);
      expect(decision(stopped).decision).toBeUndefined();
      expect(decision(stopped).systemMessage).not.toBe("");
    }
    expect(project.log()).toHaveLength(3);
    expect(await project.status()).toMatchObject({ phase: "stuck" });
  });

  it("a fresh agent is to go on where the first has failed twice", async () => {
    const project = qualityProject([logged("tests", TESTS)]);
    await project.run("task", "set", "feature-sum");
    await project.hook("stop", stopping(project));
    project.edit("src/sum.js", "export const sum = () => 7;\n");
    expect(decision(await project.hook("stop", stopping(project))).systemMessage).toContain("fresh agent");
  });

  it("a person who has not approved yet keeps it, with the command that waits", async () => {
    const project = qualityProject([APPROVAL]);
    await project.run("task", "set", "feature-sum");
    const kept = await project.hook("stop", stopping(project));
    expect(decision(kept)).toMatchObject({
      decision: "block",
      reason: expect.stringContaining("`envoy gates run --task feature-sum --wait 9m`"),
    });
    await project.answer("feature-sum_approval", "decision=approve");
    expect(await project.hook("stop", stopping(project, { stop_hook_active: true }))).toMatchObject({ code: 0, stdout: "" });
  });

  it("gates that take longer than the hook may are ended in time, and it is told to run them", async () => {
    const forever = `node -e 'require("fs").appendFileSync(process.env.LOG, process.pid + "\\n"); setInterval(() => {}, 60000)'`;
    const project = qualityProject([`{ name: tests, type: command, command: ${JSON.stringify(forever)} }`]);
    await project.run("task", "set", "feature-sum");
    const kept = await project.hook("stop", stopping(project), { args: ["--limit", "2s"] });
    expect(kept).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("envoy gates run --task feature-sum") });
    expect(project.log().map((pid) => isAlive(Number(pid)))).not.toContain(true);
    expect(await project.status()).toMatchObject({ phase: "evaluating", iteration: 1 });
  });

  it("trouble denies once, also when the agent goes on because of earlier feedback, and only then lets it stop", async () => {
    const project = qualityProject([logged("tests", "no-such-program")]);
    await project.run("task", "set", "feature-sum");
    const active = stopping(project, { stop_hook_active: true });
    expect(await project.hook("stop", active)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("not found") });
    const second = await project.hook("stop", active);
    expect(second.code).toBe(0);
    expect(decision(second).systemMessage).toContain("could not be run");
  });

  it.each([
    ["a wrong configuration", "gates: { formula: magic }\n"],
    ["a gate without a command", "gates: { formula: quick-review }\n"],
  ])("%s denies", async (_what, config) => {
    const project = qualityProject([]);
    await project.run("task", "set", "feature-sum");
    project.configure(config);
    expect(await project.hook("stop", stopping(project))).toMatchObject({ code: 2, stdout: "" });
  });

  it("an open question about its task denies, naming the question", async () => {
    const project = qualityProject([logged("tests", "true")]);
    const asked = await project.run("ask", "Which sign?", "--task", "feature-sum", "--wait", "1ms");
    const kept = await project.hook("stop", stopping(project));
    expect(kept).toMatchObject({ code: 2, stderr: expect.stringContaining(asked.json.data.question_id) });
    expect(project.log()).toEqual([]);
  });

  it("a reviewer that runs inside a gate may: its own stop runs no gates", async () => {
    const project = qualityProject([logged("tests", TESTS)]);
    await project.run("task", "set", "feature-sum");
    expect(await project.hook("stop", stopping(project), { env: { ENVOY_RUN_ID: "r-1" } })).toMatchObject(nothing);
  });

  it.each([
    ["garbage", "stop!"],
    ["nothing", ""],
  ])("%s on stdin denies", async (_what, payload) => {
    expect(await qualityProject([]).hook("stop", payload)).toMatchObject({ code: 2, stdout: "" });
  });
});
