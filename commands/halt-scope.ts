import { EnvoyError } from "../schemas/errors.ts";
import { TASK_ID_RULE, isTaskId } from "../schemas/question-words.ts";
import type { Scope } from "../src/questions/halting.ts";
import { text, toggle } from "./flags.ts";

export const scopeFlags = () => ({
  agent: text("one agent", "ID"),
  session: text("all agents of a session", "ID"),
  task: text("whoever works on a task", "ID"),
  all: toggle("everyone"),
});

interface Given {
  agent: string | undefined;
  session: string | undefined;
  task: string | undefined;
  all: boolean;
}

/** Exactly one, and never from the environment: halting is meant. */
export function scopeFrom({ agent, session, task, all }: Given, command: string): Scope {
  const named = Object.entries({ agent, session, task }).filter((entry): entry is ["agent" | "session" | "task", string] => !!entry[1]);
  if (named.length + Number(all) > 1) throw new EnvoyError("conflicting_flags", { flags: "--agent, --session, --task and --all", command });
  const [first] = named;
  if (!first && !all) throw new EnvoyError("missing_argument", { name: "--agent, --session, --task or --all", command });
  if (task && !isTaskId(task)) throw new EnvoyError("invalid_argument", { name: "--task", given: task, rule: TASK_ID_RULE, command });
  return first ? { scope: first[0], id: first[1] } : { scope: "all", id: "" };
}
