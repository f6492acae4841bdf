import { EXIT } from "../../schemas/errors.ts";
import { currentGate } from "../../src/gate/open.ts";
import { type RunOutcome, reportRun } from "../../src/quality/report.ts";
import type { Advanced } from "../../src/quality/task-run.ts";
import type { Reply } from "../command.ts";
import { type Asking, fileOf, pendingExit, replyTo, withFlags } from "../gate-reply.ts";
import type { Evaluated } from "./evaluate.ts";

const EXITS: Record<RunOutcome, number> = { passed: EXIT.success, failed: EXIT.notCleared, stuck: EXIT.notCleared, error: EXIT.outside };

export async function replyToRun(evaluated: Evaluated, asking: Asking, taskId: string): Promise<Reply> {
  if (evaluated.kind === "waited") return replyTo(evaluated.waited, asking);
  if (evaluated.kind === "interrupted") return interrupted(asking, taskId);
  const data = reportRun(evaluated.advanced, await stuckForm(asking, evaluated.advanced));
  return { data, exitCode: EXITS[data.outcome] };
}

async function stuckForm({ house }: Asking, { state, task }: Advanced): Promise<{ gate_id: string; file: string } | undefined> {
  const gate = state.phase === "stuck" ? await currentGate(house, `${task.task_id}_stuck`, undefined) : undefined;
  return gate && { gate_id: gate.id, file: fileOf(house, gate) };
}

export function interrupted(asking: Asking, taskId: string): Reply {
  const message =
    "The gates were interrupted; everything they had started has ended. Run the command in `resume` to go on: finished gates keep their result.";
  return { status: "pending", exitCode: pendingExit(asking.context), data: { task_id: taskId, resume: withFlags(asking, ""), message } };
}
