import { EnvoyError } from "../../schemas/errors.ts";
import { TASK_ID_RULE, isTaskId } from "../../schemas/question-words.ts";
import type { Flag, Positional } from "../command.ts";

function checked(given: string | undefined, name: string, command: string): string {
  if (!given) throw new EnvoyError("missing_argument", { name, command, rule: TASK_ID_RULE });
  if (!isTaskId(given)) throw new EnvoyError("invalid_argument", { name, given, rule: TASK_ID_RULE, command });
  return given;
}

export const taskId = (): Positional<string> => ({
  usage: "<id>",
  help: `the task: ${TASK_ID_RULE}`,
  take: (queue, command) => checked(queue.shift(), "<id>", command),
});

export const requiredTask = (): Flag<string> => ({
  kind: "value",
  value: "ID",
  help: "the task",
  read: ([given], { name, command }) => checked(given, `--${name}`, command),
});

export const optionalTask = (help: string): Flag<string | undefined> => ({
  kind: "value",
  value: "ID",
  help,
  read: ([given], { name, command }) => (given === undefined ? undefined : checked(given, `--${name}`, command)),
});
