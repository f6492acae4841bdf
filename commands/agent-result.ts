import { EnvoyError } from "../schemas/errors.ts";
import { ROLES } from "../schemas/question-words.ts";
import type { House } from "../src/gate/house.ts";
import { askQuestion } from "../src/questions/ask.ts";
import { setTask } from "../src/questions/set-task.ts";
import { requireQuestion } from "../src/questions/state.ts";
import { addToTask, derivedTask } from "../src/questions/task-records.ts";
import { type Handling, handleResult } from "../src/questions/worker-result.ts";
import { type Config, readConfig } from "../src/stores/config.ts";
import { ensureProject } from "../src/stores/project.ts";
import { type Reply, defineCommand } from "./command.ts";
import { choice, text } from "./flags.ts";
import { fileOf } from "./gate-reply.ts";
import { readInput } from "./read-input.ts";
import { openSettledHouse } from "./settled-house.ts";
import { requiredTask } from "./task/task-id.ts";
import { whoAsks, whoFlags } from "./who-asks.ts";

export const command = defineCommand({
  summary: "Take what a worker printed when it ended, from stdin, and do what follows from it",
  details: "`needs_input` becomes a blocking question; completed, failed and blocked set the task. It returns at once and touches no code.",
  flags: {
    ...whoFlags(),
    task: requiredTask(),
    role: choice(ROLES, "in which role the worker ran"),
    input: text("read the result from this file instead of stdin", "FILE|-"),
  },
  example: "envoy agent-result --task login < result.json",
  async run(input, context) {
    const house = await openSettledHouse(context);
    const { human_input: settings } = (await readConfig(house.project.directory)).config;
    const { agent, session } = whoAsks(context, input);
    const worker = { agent, session, task: input.task, role: input.role, onTimeout: settings.on_timeout };
    const handling = handleResult((await readInput(input.input ?? "-", context))!, worker);
    if (handling.kind === "unknown") {
      context.note(`envoy: the worker asks for ${JSON.stringify(handling.action)}, which envoy does not know; nothing was done.`);
      return { data: { task_id: input.task, handled: false, action: handling.action } };
    }
    await ensureProject(house.project);
    await addToTask(house, input.task, (task) => (task ? undefined : { type: "set", status: "open" }));
    if (handling.kind === "set") return set(house, input.task, handling);
    if (!settings.enabled) throw new EnvoyError("unsupported_operation", { operation: "Asking a person" });
    const reply = await ask(house, input.task, { handling, settings });
    context.note(`❓ Task ${input.task} needs human input: ${handling.subject.prompt}`);
    return reply;
  },
});

async function set(house: House, task: string, { status, report }: Extract<Handling, { kind: "set" }>): Promise<Reply> {
  await addToTask(house, task, () => report);
  const { status: task_status, resume_status } = await setTask(house, task, { status });
  return { data: { task_id: task, handled: true, task_status, resume_status } };
}

interface Asked {
  handling: Extract<Handling, { kind: "ask" }>;
  settings: Config["human_input"];
}

async function ask(house: House, task: string, { handling, settings }: Asked): Promise<Reply> {
  const { subject, report } = handling;
  const { gate } = await askQuestion(house, {
    subject,
    timeoutMs: settings.timeoutMs ?? null,
    timeoutGiven: false,
    maxOpenPerTask: settings.max_open_questions_per_task,
  });
  if (report) await addToTask(house, task, () => report);
  const derived = await derivedTask(house, task);
  const { status } = await requireQuestion(house, gate.id);
  return {
    data: {
      task_id: task,
      handled: true,
      question_id: gate.id,
      question_status: status,
      task_status: derived?.status,
      resume_status: derived?.resume_status,
      file: gate.end ? undefined : fileOf(house, gate),
    },
  };
}
