import { EnvoyError } from "../schemas/errors.ts";
import { SPECIALIST_RULE, type SubjectId, SUBJECT_RULE, isSpecialist, parseSubjectId } from "../schemas/names.ts";
import type { Positional } from "./command.ts";

export const specialist = (): Positional<string> => ({
  usage: "<specialist>",
  help: SPECIALIST_RULE,
  take(queue, command) {
    const given = required(queue, { name: "<specialist>", command, rule: SPECIALIST_RULE });
    if (!isSpecialist(given)) throw invalid("<specialist>", given, { rule: SPECIALIST_RULE, command });
    return given;
  },
});

/** A number with an optional variant: `2`, `2 A`, `2_A` and `2A` are all understood. */
export const subject = (): Positional<SubjectId> => ({
  usage: "<n> [variant]",
  help: SUBJECT_RULE,
  take(queue, command) {
    const first = required(queue, { name: "<n>", command, rule: SUBJECT_RULE });
    const alone = parseSubjectId(first);
    if (!alone) throw invalid("<n>", first, { rule: SUBJECT_RULE, command });
    const second = queue[0];
    if (second === undefined) return alone;
    queue.shift();
    const both = alone.variant === null ? parseSubjectId(`${first}_${second}`) : undefined;
    if (!both) throw invalid("[variant]", second, { rule: SUBJECT_RULE, command });
    return both;
  },
});

export const optionalText = (name: string, help: string): Positional<string | undefined> => ({
  usage: `[${name}]`,
  help,
  take: (queue) => queue.shift(),
});

function required(queue: string[], about: { name: string; command: string; rule: string }): string {
  const given = queue.shift();
  if (given === undefined) throw new EnvoyError("missing_argument", about);
  return given;
}

function invalid(name: string, given: string, about: { rule: string; command: string }): EnvoyError {
  return new EnvoyError("invalid_argument", { name, given, ...about });
}
