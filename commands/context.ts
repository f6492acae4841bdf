import { taskContext } from "../src/questions/context.ts";
import { readConfig } from "../src/stores/config.ts";
import { defineCommand } from "./command.ts";
import { toggle } from "./flags.ts";
import { openSettledHouse } from "./settled-house.ts";
import { requiredTask } from "./task/task-id.ts";

export const command = defineCommand({
  summary: "What a person has said about a task, ready for the resumed agent's prompt",
  details: "`prompt_section` holds only answers that no worker has taken yet; --take takes them.",
  flags: { task: requiredTask(), take: toggle("these answers are this worker's; they are not given out again") },
  example: "envoy context --task login --take",
  async run({ task, take }, context) {
    const house = await openSettledHouse(context);
    const { context_answer_history_limit: limit } = (await readConfig(house.project.directory)).config.human_input;
    return { data: { task_id: task, ...(await taskContext(house, task, { limit, take })) } };
  },
});
