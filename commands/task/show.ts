import { settleTaskGates } from "../../src/quality/approvals.ts";
import { showTask } from "../../src/questions/task-view.ts";
import { defineCommand } from "../command.ts";
import { openSettledHouse } from "../settled-house.ts";
import { taskId } from "./task-id.ts";

export const command = defineCommand({
  summary: "One task: status, what it waits for, and all questions with their answers",
  positionals: { id: taskId() },
  example: "envoy task show login",
  async run({ id }, context) {
    const house = await openSettledHouse(context);
    await settleTaskGates(house);
    return { data: await showTask(house, id) };
  },
});
