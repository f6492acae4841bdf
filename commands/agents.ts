import { EnvoyError } from "../schemas/errors.ts";
import type { Config } from "../src/stores/config.ts";
import type { Context } from "./command.ts";

/** What was put to a person is not for an agent to decide, unless the team says so. */
export function refuseAgents({ environment }: Context, { agents_may_answer }: Config["human_input"], what: string): void {
  const agent = environment.ENVOY_AGENT_ID;
  if (agent !== undefined && !agents_may_answer) throw new EnvoyError("agent_may_not_answer", { agent, what });
}
