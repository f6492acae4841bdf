// What follows from the end of a round. Done before anyone hears of the end, and done again by the next run where a
// crash came between.
import { EnvoyError } from "../../schemas/errors.ts";
import type { RoundFact } from "../../schemas/rounds.ts";
import { type House, isQuestionId } from "../gate/house.ts";
import { openGate } from "../gate/open.ts";
import { openGates } from "../gate/settle.ts";
import { withdraw } from "../gate/withdraw.ts";
import { setTask } from "../questions/set-task.ts";
import { isoNow } from "../system/clock.ts";
import { headCommit } from "../system/git-change.ts";
import { type ApprovalSubject, gate as humanGate } from "./human-gate.ts";
import { addRounds } from "./round-records.ts";
import { type TaskGates, foldRounds } from "./rounds.ts";
import { describeTaskForm, refuseOthers } from "./shown-change.ts";
import { type StuckSubject, gate as stuckGate } from "./stuck-gate.ts";
import type { Prepared } from "./task-run.ts";
import { tell } from "./tell.ts";

export async function announceEnd(house: House, prepared: Prepared, facts: readonly RoundFact[]): Promise<void> {
  const state = foldRounds(facts, prepared.retry);
  const { last } = state;
  if (!last || last.announced) return;
  const { task_id: task } = prepared.task;
  const told = { task, who: last.agent_id, iteration: last.iteration, feedback: state.rounds.at(-1)!.feedback };
  if (last.outcome === "passed") {
    await setTask(house, task, { status: "ready_to_merge" });
    await tell(house, "all_gates_passed", { ...told, commit: await headCommit(prepared.directory) });
  } else if (last.outcome === "failed_with_retry") await tell(house, "gate_failed_retrying", { ...told, next_agent: last.next_agent });
  else {
    await tell(house, "gate_failed_max_iterations", { ...told, on_stuck: prepared.retry.on_stuck });
    if (state.phase === "stuck") await openStuckForm(house, prepared, state);
    else if (state.phase === "failed") await setTask(house, task, { status: "failed" });
  }
  await withdrawApprovals(house, task);
  await addRounds(house, task, [{ type: "announced", at: isoNow(), by: "envoy" }]);
}

async function openStuckForm(house: House, { task: { task_id, title }, change, directory }: Prepared, state: TaskGates): Promise<void> {
  const { summary, command } = change;
  const about = { task: { id: task_id, ...(title === undefined ? {} : { title }) }, directory, summary, command };
  const subject: StuckSubject = { ...about, iteration: state.iteration, feedback: state.feedback };
  const key = stuckGate.key({ task: task_id });
  const opened = await openGate(house, {
    kind: stuckGate.kind,
    key,
    args: { task: task_id },
    subject,
    form: describeTaskForm(house, stuckGate, { key, task: task_id, subject }),
    deadline: null,
    askedBy: house.environment.ENVOY_AGENT_ID ?? "an agent",
  });
  refuseOthers(house, opened, { task: task_id, kind: stuckGate.kind });
}

/** The round has its verdict: nothing is left to approve. */
async function withdrawApprovals(house: House, task: string): Promise<void> {
  const open = await openGates(house, ({ id, opened, end }) => !end && !isQuestionId(id) && opened.kind === humanGate.kind);
  for (const { id } of open.filter(({ subject }) => (subject as ApprovalSubject).task.id === task))
    await withdraw(house, id, `the gates of task ${task} have come to their verdict`).catch(answeredMeanwhile);
}

function answeredMeanwhile(error: unknown): void {
  if (!(error instanceof EnvoyError && error.type === "gate_ended")) throw error;
}
