import { EnvoyError } from "../schemas/errors.ts";
import { parseDuration } from "../src/system/durations.ts";
import type { Flag } from "./command.ts";
import { choice, toggle } from "./flags.ts";

export const duration = (help: string): Flag<number | undefined> => ({
  kind: "value",
  value: "9m",
  help,
  read: ([given], { name, command }) => {
    if (given === undefined) return undefined;
    const ms = parseDuration(given);
    if (ms === undefined)
      throw new EnvoyError("invalid_argument", { name: `--${name}`, given, rule: "a duration such as 500ms, 30s, 9m, 12h or 4d", command });
    return ms;
  },
});

/** Null: never. */
export const durationOrNever = (help: string): Flag<number | null | undefined> => ({
  ...duration(help),
  value: "15m|never",
  read: (given, about) => (given[0] === "never" ? null : duration(help).read(given, about)),
});

/** What everything that waits takes, and what `resume` therefore repeats. */
export const waitFlags = () => ({
  wait: duration("end this wait after so long with `pending`; the gate stays open"),
  timeout: duration("the deadline, from now; default: 12 h, or BLOCKING_GATE_TIMEOUT_MS"),
  "on-invalid": choice(["wait", "fail"], "what a form that was handed back does to this wait; default: wait"),
  "require-approval": toggle("exit with 10 unless the result says `proceed: true`"),
});

export interface WaitInput {
  wait: number | undefined;
  timeout: number | undefined;
  "on-invalid": "wait" | "fail" | undefined;
  "require-approval": boolean;
}
