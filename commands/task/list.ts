import { TASK_STATUSES } from "../../schemas/question-words.ts";
import { settleTaskGates } from "../../src/quality/approvals.ts";
import { isResumable, taskData, taskRows } from "../../src/questions/task-view.ts";
import { inOrder } from "../../src/system/in-order.ts";
import { defineCommand } from "../command.ts";
import { choice, toggle } from "../flags.ts";
import { openSettledHouse } from "../settled-house.ts";
import { TASK_COLUMNS, taskCells, taskTone } from "./rows.ts";

export const command = defineCommand({
  summary: "Tasks, the oldest first",
  details: "`--status ready_to_merge` is the merge queue: first what has been ready longest.",
  flags: {
    awaiting: toggle("only those that wait for a person"),
    status: choice([...TASK_STATUSES, "awaiting_input"], "only those with this status"),
    resumable: toggle("only those whose answer no worker has taken yet"),
  },
  example: "envoy task list --resumable",
  async run({ awaiting, status, resumable }, context) {
    const house = await openSettledHouse(context);
    await settleTaskGates(house);
    const found = (await taskRows(house)).filter(
      (row) => (!awaiting || row.status === "awaiting_input") && (status === undefined || row.status === status),
    );
    const kept = await Promise.all(found.map(async (row) => !resumable || (await isResumable(house, row))));
    const rows = found.filter((_, i) => kept[i]);
    if (status === "ready_to_merge") rows.sort((a, b) => inOrder(a.task.storedAt, b.task.storedAt));
    const table = {
      columns: TASK_COLUMNS,
      sparse: true,
      rows: rows.map((row) => taskCells(row)),
      tones: rows.map(taskTone),
      empty: "No such tasks.",
    };
    return { data: { tasks: rows.map(taskData) }, table };
  },
});
