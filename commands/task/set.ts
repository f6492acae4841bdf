import { TASK_STATUSES } from "../../schemas/question-words.ts";
import { setTask } from "../../src/questions/set-task.ts";
import { ensureProject } from "../../src/stores/project.ts";
import { present } from "../ask-input.ts";
import { defineCommand } from "../command.ts";
import { choice, text } from "../flags.ts";
import { openSettledHouse } from "../settled-house.ts";
import { optionalTask, taskId } from "./task-id.ts";

export const command = defineCommand({
  summary: "Make a task, or change it",
  details: "While it awaits input, --status changes what it resumes to. A task that ends withdraws its open questions.",
  positionals: { id: taskId() },
  flags: {
    title: text("what it is about"),
    status: choice(TASK_STATUSES, "awaiting_input is derived and cannot be set"),
    parent: optionalTask("the task it is part of"),
    priority: text("such as P1", "P"),
    size: text("such as M", "S"),
    dir: text("where its work lies", "PATH"),
  },
  example: "envoy task set login --title 'Login page' --status building",
  async run({ id, ...settings }, context) {
    const house = await openSettledHouse(context);
    await ensureProject(house.project);
    const { task, withdrawn, status, resume_status } = await setTask(house, id, present(settings));
    const { title, parent, priority, size, dir } = task;
    return {
      data: { task_id: id, task_status: status, resume_status, title, parent, priority, size, dir, withdrawn_questions: withdrawn },
    };
  },
});
