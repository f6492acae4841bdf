// What a command is: data plus one function. Surfaces read the data; only `run` does anything.
import type { Environment } from "../src/system/environment.ts";

export interface Positional<T> {
  /** As shown in the usage line: `<specialist>`, `<n> [variant]`. */
  usage: string;
  help: string;
  /** Takes what it needs from the front of the queue. */
  take: (queue: string[], command: string) => T;
}
export interface Flag<T> {
  /** `switch` takes no value; `repeated` may be given several times. */
  kind: "value" | "repeated" | "switch";
  /** What stands for the value in the usage line: `TEXT`, `FILE`. */
  value?: string;
  help: string;
  read: (given: string[], about: { name: string; command: string }) => T;
}
export interface Context {
  /** Absolute, so that it holds when the folder is moved away while the command runs. */
  cwd: string;
  environment: Environment;
  /** One line for people, on stderr. */
  note: (line: string) => void;
  stdin: () => Promise<Buffer>;
  /** Asks a person at the terminal for one line; not there without a terminal. */
  prompt?: (question: string) => Promise<string>;
  /** What `-C` was given, for commands that tell how to go on. */
  directory?: string;
  /** From the first call on, SIGINT, SIGTERM and SIGHUP no longer end the process but abort this, with their name as the reason. */
  interruption: () => AbortSignal;
}
export interface Reply {
  data: object;
  /** The command's own success when left out. */
  status?: "pending";
  exitCode?: number;
  /** Runs once the reader has the document. */
  delivered?: () => Promise<void>;
  /** Printed as it is instead of the envelope: a hook answers in its harness's own protocol. */
  raw?: { stdout: string; stderr: string };
  /** Shown instead of the JSON on a terminal, for commands that list things for people. */
  table?: Table | Table[];
}
/** What deserves the eye: waits for a person, went wrong, or is over. */
export type Tone = "wanted" | "bad" | "past";
export interface Table {
  /** Above it, where there are several. */
  title?: string;
  /** Columns without a single value are left out. */
  sparse?: boolean;
  /** One for each row. */
  tones?: (Tone | undefined)[];
  columns: string[];
  rows: string[][];
  empty: string;
}

type Taken<P> = { [K in keyof P]: P[K] extends Positional<infer T> ? T : never };
type Read<F> = { [K in keyof F]: F[K] extends Flag<infer T> ? T : never };
type Positionals = Record<string, Positional<unknown>>;
type Flags = Record<string, Flag<unknown>>;

export interface Command {
  summary: string;
  details?: string;
  positionals: Positionals;
  flags: Flags;
  example: string;
  run: (input: Record<string, unknown>, context: Context) => Promise<Reply>;
}

interface Definition<P extends Positionals, F extends Flags> {
  summary: string;
  details?: string;
  positionals?: P;
  flags?: F;
  example: string;
  run: (input: Taken<P> & Read<F>, context: Context) => Promise<Reply>;
}

export function defineCommand<P extends Positionals = Record<never, never>, F extends Flags = Record<never, never>>(
  definition: Definition<P, F>,
): Command {
  return {
    ...definition,
    positionals: definition.positionals ?? {},
    flags: definition.flags ?? {},
    run: (input, context) => definition.run(input as Taken<P> & Read<F>, context),
  };
}
