import { EnvoyError } from "../../schemas/errors.ts";
import type { Task } from "../questions/tasks.ts";
import type { Gate } from "./gates.ts";
import { type WhenFacts, evaluateWhen } from "./when-value.ts";

interface About {
  task: Task;
  changedFiles: readonly string[];
  /** Of the configuration, for what cannot be told. */
  file: string;
}

/** The gates whose `when` says no. What cannot be told is an error: a gate is never left out for want of a fact. */
export function notApplicable(gates: readonly Gate[], { task, changedFiles, file }: About): string[] {
  const facts: WhenFacts = { task: taskFacts(task), changed_files: changedFiles };
  return gates.flatMap(({ name, when }) => {
    const answer = when && evaluateWhen(when, facts);
    if (!answer) return [];
    if (answer.ok) return answer.value ? [] : [name];
    const message = `column ${answer.column} of \`when\`: ${answer.message}`;
    throw new EnvoyError("invalid_gates", { file, issues: [{ file, path: `gates.list.${name}.when`, message }] });
  });
}

/** `P1` and `1` are the same priority. */
function taskFacts({ task_id, title, stored, parent, priority, size, dir }: Task): WhenFacts["task"] {
  const number = /^P?(\d+)$/i.exec(priority ?? "")?.[1];
  return {
    id: task_id,
    title: title ?? null,
    status: stored,
    parent: parent ?? null,
    priority: number === undefined ? null : Number(number),
    size: size ?? null,
    dir: dir ?? null,
  };
}
