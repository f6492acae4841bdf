import type { Who } from "../src/questions/halts.ts";
import type { Context } from "./command.ts";
import { text } from "./flags.ts";

export const whoFlags = () => ({
  agent: text("which agent; default: ENVOY_AGENT_ID, the harness's own session id, or `default`", "ID"),
  session: text("its session; default: ENVOY_SESSION_ID", "ID"),
  task: text("its task; default: ENVOY_TASK_ID", "ID"),
});

interface Given {
  agent?: string | undefined;
  session?: string | undefined;
  task?: string | undefined;
}

/** One rule for asking, checking and hooks. */
export const whoAsks = ({ environment }: Pick<Context, "environment">, { agent, session, task }: Given): Who => ({
  agent: agent ?? environment.ENVOY_AGENT_ID ?? environment.CLAUDE_CODE_SESSION_ID ?? environment.CODEX_THREAD_ID ?? "default",
  session: session ?? environment.ENVOY_SESSION_ID,
  task: task ?? environment.ENVOY_TASK_ID,
});
