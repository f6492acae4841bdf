import { EnvoyError } from "../schemas/errors.ts";
import type { Positional } from "./command.ts";

const RULE = "the id of a gate or a question, the end of one, or the key of an open form (`plan_gate`, `<plan>/plan_gate`)";

export const gateName = (): Positional<string> => ({
  usage: "<id>",
  help: RULE,
  take(queue, command) {
    const given = queue.shift();
    if (!given) throw new EnvoyError("missing_argument", { name: "<id>", command, rule: RULE });
    return given;
  },
});

/** One or more. */
export const gateNames = (): Positional<string[]> => ({
  usage: "<id>…",
  help: `${RULE}; also several`,
  take(queue, command) {
    const given = queue.splice(0);
    if (!given.length) throw new EnvoyError("missing_argument", { name: "<id>", command, rule: RULE });
    return given;
  },
});
