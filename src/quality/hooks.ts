// The hooks of Claude Code, without doing anything: what its payload says, and how to answer. A hook that fails in any
// other way than exit code 2 counts as consent there, so every doubt here is an answer that denies.
import type { ZodType } from "zod";
import type { PreToolUsePayload } from "../../schemas/hooks.ts";
import { visibleText } from "../system/visible-text.ts";

export interface HookReply {
  stdout: string;
  stderr: string;
  exitCode: 0 | 2;
}
export type Payload<T> = { ok: true; payload: T } | { ok: false; reason: string };

export function readPayload<T>(text: string, schema: ZodType<T>): Payload<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return { ok: false, reason: text.trim() ? "stdin is not JSON" : "nothing came on stdin" };
    throw error;
  }
  const checked = schema.safeParse(value);
  if (checked.success) return { ok: true, payload: checked.data };
  const [issue] = checked.error.issues;
  return { ok: false, reason: `stdin is not a payload of this hook: ${issue?.path.join(".")}: ${issue?.message}` };
}

/** No opinion: the harness goes on as without a hook. (Its word `allow` would skip the person's own permission rules.) */
export const letBe = (): HookReply => ({ stdout: "", stderr: "", exitCode: 0 });

export const denyTool = (reason: string): HookReply =>
  answer({
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: visibleText(reason) },
  });

/** The agent does not stop, and reads the reason as its next instruction. */
export const blockStop = (reason: string): HookReply => answer({ decision: "block", reason: visibleText(reason) });

/** The agent may stop; the person sees the message. */
const letStop = (message?: string): HookReply => (message ? answer({ systemMessage: visibleText(message) }) : letBe());

/** For trouble inside the hook: the one exit code that blocks, with the reason on stderr. */
export const refuse = (reason: string): HookReply => ({ stdout: "", stderr: `${visibleText(reason)}\n`, exitCode: 2 });

const answer = (value: unknown): HookReply => ({ stdout: `${JSON.stringify(value)}\n`, stderr: "", exitCode: 0 });

// Words that no shell expands, splits or redirects, bare or in quotes.
const WORD = String.raw`(?:[A-Za-z0-9_./:@%+=,-]+|'[^'\n\r]*'|"[^"\\$\`!\n\r]*")`;
const ONLY_WAITS = new RegExp(`^envoy(?: +--json)? +(?:wait|check|show|status)(?: +${WORD})*$`);

/** Whether a tool call does nothing but wait for a person: one plain envoy command, and no way to smuggle in another. */
export function onlyWaits({ tool_name, tool_input }: Pick<PreToolUsePayload, "tool_name" | "tool_input">): boolean {
  const { command } = tool_input;
  return tool_name === "Bash" && typeof command === "string" && command.length <= 4000 && ONLY_WAITS.test(command.replace(/^ +| +$/g, ""));
}

export type StopSituation =
  | { kind: "nothing_to_check" }
  | { kind: "passed" }
  | { kind: "failed"; nextAgent: "same" | "fresh"; prompt: string; repeated: boolean }
  | { kind: "stuck"; message: string }
  /** A person is asked; `resume` is the command to go on with. */
  | { kind: "pending"; resume: string }
  /** `refused`: the agent was kept for this before; where that is not known, the harness's own word counts. */
  | { kind: "trouble"; reason: string; refused?: boolean };

/**
 * Only an agent that has something to do is kept from stopping. It is never kept twice by the same trouble or the same
 * feedback: the harness says by `stop_hook_active` that it goes on because of this hook.
 */
export function decideStop(situation: StopSituation, { stop_hook_active = false }: { stop_hook_active?: boolean | undefined }): HookReply {
  switch (situation.kind) {
    case "nothing_to_check":
    case "passed":
      return letStop();
    case "failed":
      if (situation.nextAgent === "fresh") return letStop("The gates failed; a fresh agent is to go on with this task.");
      if (situation.repeated && stop_hook_active) return letStop("The gates failed again with the same feedback.");
      return blockStop(situation.prompt);
    case "stuck":
      return letStop(situation.message);
    case "pending":
      return blockStop(`A person is asked to approve this change. Wait for the answer with \`${situation.resume}\`, then stop again.`);
    case "trouble":
      if (stop_hook_active && situation.refused !== false) return letStop(`The gates could not be run: ${situation.reason}`);
      return refuse(`The gates could not be run, so this is not finished: ${situation.reason}`);
  }
}
