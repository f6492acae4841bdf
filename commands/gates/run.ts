import type { House } from "../../src/gate/house.ts";
import { type Context, type Reply, defineCommand } from "../command.ts";
import { text } from "../flags.ts";
import { duration } from "../gate-flags.ts";
import { type Asking } from "../gate-reply.ts";
import { openSettledHouse } from "../settled-house.ts";
import { optionalTask } from "../task/task-id.ts";
import { evaluate } from "./evaluate.ts";
import { replyToRun } from "./run-reply.ts";
import { madeTask, whichTask } from "./which-task.ts";

export const command = defineCommand({
  summary: "Run a task's quality gates: passed, failed with feedback, stuck, or waiting for a person",
  details:
    "An interrupted round is resumed: finished gates keep their result while the work is unchanged. Exit codes: 0 passed, 10 failed or stuck, 5 a gate could not be run, 75 a person has not answered yet.",
  flags: {
    task: optionalTask("the task; default: ENVOY_TASK_ID, or the branch's"),
    only: text("run this gate alone, and record nothing", "NAME"),
    wait: duration("wait so long for a person, then end with `pending`; default: ENVOY_WAIT, or until the answer"),
  },
  example: "envoy gates run --task login --wait 9m",
  async run({ task, only, wait }, context) {
    const house = await openSettledHouse(context);
    const taskId = await madeTask(house, whichTask(house, context, task));
    if (only !== undefined) {
      const { runOnly } = await import("./only.ts");
      return runOnly(askingFor(house, context, { taskId, wait: undefined, only }), { taskId, name: only });
    }
    return runAndReply(askingFor(house, context, { taskId, wait }), taskId);
  },
});

interface AskedFor {
  taskId: string;
  wait: number | undefined;
  only?: string;
}

/** Going on means running the gates again: only that gives the verdict of the whole round. */
export const askingFor = (house: House, context: Context, { taskId, wait, only }: AskedFor): Asking => ({
  house,
  context,
  flags: { wait, timeout: undefined, "on-invalid": undefined, "require-approval": false },
  resume: () => `gates run --task ${taskId}${only === undefined ? "" : ` --only ${only}`}`,
  again: `gates run --task ${taskId}`,
});

export async function runAndReply(asking: Asking, taskId: string): Promise<Reply> {
  const { context, flags } = asking;
  const slice = flags.wait ?? context.environment.ENVOY_WAIT;
  const until = slice === undefined ? undefined : new Date(Date.now() + slice);
  return replyToRun(await evaluate({ asking, taskId, signal: context.interruption(), until }), asking, taskId);
}
