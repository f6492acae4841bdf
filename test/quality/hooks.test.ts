import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { PreToolUsePayload, StopPayload } from "../../schemas/hooks.ts";
import { blockStop, decideStop, denyTool, letBe, onlyWaits, readPayload, refuse } from "../../src/quality/hooks.ts";

const base = { session_id: "abc123", transcript_path: "/home/me/t.jsonl", cwd: "/work", permission_mode: "default" };
const waits = (command: unknown, tool_name = "Bash") => onlyWaits({ tool_name, tool_input: { command } });

describe("a halted agent's call that only waits", () => {
  it.each([
    "envoy wait q_1",
    "envoy wait q_1 q_2 --any --wait 9m",
    "  envoy check --wait --timeout=5m  ",
    "envoy --json status",
    "envoy show 'q_1'",
    'envoy show "2 A"',
    "envoy wait feature/login:2A_testing --require-approval",
  ])("goes through: %s", (command) => {
    expect(waits(command)).toBe(true);
  });

  it.each([
    "envoy",
    "envoy answer q_1 yes",
    "envoy resume --all",
    "envoy waits q_1",
    "envoy status; rm -rf .",
    "envoy status;rm -rf .",
    "envoy wait q_1 && rm x",
    "envoy wait q_1 || rm x",
    "envoy wait q_1 & rm x",
    "envoy wait q_1 &",
    "envoy wait q_1 | sh",
    "envoy wait q_1 |& sh",
    "envoy show q_1 > .envoy/config.yaml",
    "envoy show q_1 >> x",
    "envoy wait < /dev/zero",
    "envoy wait <(rm x)",
    "envoy wait $(rm x)",
    "envoy wait `rm x`",
    'envoy wait "$(rm x)"',
    'envoy wait "`rm x`"',
    "envoy wait ${x:=y}",
    "envoy wait $HOME",
    "envoy wait q_1\nrm x",
    "envoy wait q_1\r\nrm x",
    "envoy wait 'q\nrm x'",
    "envoy wait \\\nrm",
    "envoy wait q_1 # rm",
    "envoy wait 'q_1",
    "envoy wait q_1'; rm x; '",
    "envoy wait !!",
    'envoy wait "!!"',
    "envoy wait {a,b}",
    "envoy wait *",
    "envoy wait ~/x",
    "envoy\twait q_1\trm",
    "envoy wait\u00a0q_1",
    "PATH=/tmp envoy wait q_1",
    "/tmp/envoy wait q_1",
    "./envoy wait q_1",
    "env envoy wait q_1",
    "eval envoy wait q_1",
    "sh -c 'envoy wait q_1'",
    "(envoy wait q_1)",
    "{ envoy wait q_1; }",
    "! envoy wait q_1",
    "time envoy wait q_1",
    "rm x; envoy wait q_1",
    "echo envoy wait q_1",
    "envoy -C /tmp/x answer q_1 yes",
    "envoy 'answer' q_1 yes",
    '"envoy" wait q_1',
    "",
    " ",
    `envoy wait ${"x".repeat(5000)}`,
  ])("is denied: %j", (command) => {
    expect(waits(command)).toBe(false);
  });

  it("is a call of the shell and nothing else", () => {
    expect(waits("envoy wait q_1", "Write")).toBe(false);
    expect(waits(["envoy", "wait"])).toBe(false);
    expect(waits(undefined)).toBe(false);
  });

  it("never lets a character through that means something to a shell", () => {
    const special = fc.constantFrom(..."|&;<>()$`\\*?[]#~{}!\n\r\t^");
    fc.assert(
      fc.property(fc.string(), special, fc.string(), (before, sign, after) => {
        fc.pre(!/["']/.test(before));
        expect(waits(`envoy wait ${before}${sign}${after}`)).toBe(false);
      }),
    );
  });
});

describe("payloads of the harness", () => {
  it("are read as it documents them, with keys it may add", () => {
    const tool = { ...base, hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "toolu_01" };
    expect(readPayload(JSON.stringify(tool), PreToolUsePayload)).toEqual({ ok: true, payload: tool });
    const stop = { ...base, hook_event_name: "Stop", stop_hook_active: true, last_assistant_message: "Done." };
    expect(readPayload(JSON.stringify(stop), StopPayload)).toEqual({ ok: true, payload: stop });
  });

  it.each([
    ["", "nothing came"],
    ["not json", "not JSON"],
    ["[]", "not a payload"],
    [JSON.stringify({ ...base, hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: {} }), "hook_event_name"],
    [JSON.stringify({ ...base, hook_event_name: "PreToolUse", tool_name: "Bash" }), "tool_input"],
  ])("that are none are told: %s", (text, reason) => {
    expect(readPayload(text, PreToolUsePayload)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });
});

describe("answers to the harness", () => {
  it("deny a tool with the reason, in its own words", () => {
    const { stdout, stderr, exitCode } = denyTool("Halted by q_1\u001b[2J");
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(JSON.parse(stdout)).toEqual({
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "Halted by q_1\\u{1b}[2J" },
    });
  });

  it("say nothing where there is nothing to say, so that the person's own rules still hold", () => {
    expect(letBe()).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  });

  it("block with exit code 2 where the hook itself is in trouble", () => {
    expect(refuse("the record is damaged")).toEqual({ stdout: "", stderr: "the record is damaged\n", exitCode: 2 });
  });

  it.each([
    ["nothing to check", { kind: "nothing_to_check" }, "stops"],
    ["passed gates", { kind: "passed" }, "stops"],
    ["failed gates and the same agent", { kind: "failed", nextAgent: "same", prompt: "Mend", repeated: false }, "goes on"],
    ["failed gates and a fresh agent", { kind: "failed", nextAgent: "fresh", prompt: "Mend", repeated: false }, "stops"],
    ["a stuck task", { kind: "stuck", message: "A person decides" }, "stops"],
    ["a person who has not answered", { kind: "pending", resume: "envoy wait t1_approve" }, "goes on"],
  ] as const)("with %s the agent %s", (_, situation, end) => {
    for (const stop_hook_active of [false, true]) {
      const { stdout, exitCode } = decideStop(situation, { stop_hook_active });
      expect(exitCode).toBe(0);
      expect(stdout.includes('"decision":"block"')).toBe(end === "goes on");
    }
  });

  it("gives the feedback as the reason", () => {
    const reply = decideStop({ kind: "failed", nextAgent: "same", prompt: "Mend the sum", repeated: false }, {});
    expect(reply).toEqual(blockStop("Mend the sum"));
    expect(JSON.parse(reply.stdout)).toEqual({ decision: "block", reason: "Mend the sum" });
  });

  it("never keeps an agent twice for the same feedback or the same trouble", () => {
    const again = { kind: "failed", nextAgent: "same", prompt: "Mend", repeated: true } as const;
    expect(decideStop(again, { stop_hook_active: true }).stdout).not.toContain("block");
    const trouble = { kind: "trouble", reason: "no disk" } as const;
    expect(decideStop(trouble, {})).toMatchObject({ exitCode: 2 });
    expect(decideStop(trouble, { stop_hook_active: true })).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("no disk") });
  });
});
