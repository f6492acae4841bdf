// What Claude Code writes on a hook's stdin. It adds keys over time, so unknown ones are let be; hook_event_name tells
// the events apart.
import { boolean, literal, looseObject, optional, record, string, unknown, type infer as Infer } from "zod";

const every = { session_id: string(), cwd: string(), transcript_path: optional(string()), agent_id: optional(string()) };

export const PreToolUsePayload = looseObject({
  ...every,
  hook_event_name: literal("PreToolUse"),
  tool_name: string(),
  tool_input: record(string(), unknown()),
});
export type PreToolUsePayload = Infer<typeof PreToolUsePayload>;

export const StopPayload = looseObject({
  ...every,
  hook_event_name: literal("Stop"),
  /** The agent goes on already because a stop hook blocked it. */
  stop_hook_active: optional(boolean()),
});
export type StopPayload = Infer<typeof StopPayload>;
