// The environment variables envoy reads, all of them, in one place. docs/environment is generated from this table.
import { EnvoyError } from "../../schemas/errors.ts";
import { parseDuration } from "./durations.ts";

interface Variable<T> {
  rule: string;
  help: string;
  fallback: string;
  /** Undefined refuses the value. */
  read: (given: string) => T | undefined;
}

const variable = <T>(definition: Variable<T>): Variable<T> => definition;
const anyText = (help: string, fallback = "") => variable<string>({ rule: "a text", help, fallback, read: (given) => given });
const duration = (help: string, fallback: string) =>
  variable<number>({ rule: "a duration such as `500ms`, `30s`, `9m`, `12h` or `4d`", help, fallback, read: parseDuration });
const count = (help: string, fallback: string) =>
  variable<number>({
    rule: "a positive whole number",
    help,
    fallback,
    read: (given) => (/^[1-9][0-9]{0,14}$/.test(given) ? Number(given) : undefined),
  });

export const VARIABLES = {
  ENVOY_DIR: variable<string>({
    rule: "the name of a folder, or an absolute path",
    help: "where envoy keeps its files, from the root of the repository's main worktree",
    fallback: ".envoy",
    read: (given) => (given.split("/").includes("..") || given.split("/").every((part) => /^\s*\.?$/.test(part)) ? undefined : given),
  }),
  ENVOY_PLAN_DIR: anyText("the plan's folder, instead of the current branch's plan"),
  BLOCKING_GATE_TIMEOUT_MS: count("how long a gate waits for a person, in milliseconds", "43200000"),
  MAX_LOGS_TOKENS: count("how many tokens of pasted logs a gate takes", "10000"),
  ENVOY_WAIT: duration("how long one call waits before it prints `pending`; unset: until the deadline", ""),
  ENVOY_EDITOR: anyText("the editor for forms, before VISUAL and EDITOR"),
  VISUAL: anyText("the editor for forms, where ENVOY_EDITOR is not set"),
  EDITOR: anyText("the editor for forms, where VISUAL is not set either", "vi"),
  ENVOY_HEARTBEAT: duration("print one short line on stderr at this interval while waiting", ""),
  GEMINI_CLI: anyText("set by a harness that ends silent commands: a heartbeat every 4 minutes, unless ENVOY_HEARTBEAT says otherwise"),
  ENVOY_NOTIFY_COMMAND: anyText("run when a form waits for a person"),
  ENVOY_AGENT_ID: anyText("which agent asks"),
  CLAUDE_CODE_SESSION_ID: anyText("which agent asks, where ENVOY_AGENT_ID is not set"),
  CODEX_THREAD_ID: anyText("which agent asks, where neither of those is set"),
  ENVOY_SESSION_ID: anyText("which session the agent belongs to"),
  ENVOY_TASK_ID: anyText("which task the agent works on"),
  ENVOY_RUN_ID: anyText("set by envoy for the commands of gates: inside one, the stop hook runs no gates"),
  NO_COLOR: anyText("no colours on the terminal, whatever its value"),
} as const;

type ValueOf<V> = V extends Variable<infer T> ? T : never;
/** Unset or empty variables without a fallback are undefined. */
export type Environment = { [K in keyof typeof VARIABLES]: ValueOf<(typeof VARIABLES)[K]> | undefined } & { ENVOY_DIR: string };

export function readEnvironment(variables: NodeJS.ProcessEnv): Environment {
  const entries = Object.entries(VARIABLES).map(([name, { read, rule, fallback }]) => {
    const given = variables[name] || fallback;
    const value = given === "" ? undefined : read(given);
    if (given !== "" && value === undefined) throw new EnvoyError("invalid_environment", { variable: name, given, rule });
    return [name, value];
  });
  return Object.fromEntries(entries) as Environment;
}

const FOUR_MINUTES = 240_000;
/** Harnesses that end a command which says nothing for some minutes get a line in time. */
export const heartbeatOf = ({ ENVOY_HEARTBEAT, GEMINI_CLI }: Environment): number | undefined =>
  ENVOY_HEARTBEAT ?? (GEMINI_CLI ? FOUR_MINUTES : undefined);
