// Runs a task's gates until there is a verdict, or a person has to be waited for longer than this call may.
import { EnvoyError } from "../../schemas/errors.ts";
import type { House } from "../../src/gate/house.ts";
import { type Waited, waitForGate } from "../../src/gate/wait.ts";
import { askForApproval, settleTaskGates } from "../../src/quality/approvals.ts";
import { type Advanced, advance } from "../../src/quality/task-run.ts";
import { derivedTask } from "../../src/questions/task-records.ts";
import type { Context } from "../command.ts";
import { type Asking, announce } from "../gate-reply.ts";
import { whoAsks } from "../who-asks.ts";

export interface Evaluation {
  asking: Asking;
  taskId: string;
  signal: AbortSignal;
  /** The end of waiting for a person; commands run to their own time-outs. */
  until?: Date | undefined;
  patienceMs?: number;
}
export type Evaluated =
  | { kind: "ended"; advanced: Advanced }
  | { kind: "waited"; waited: Waited; advanced: Advanced }
  /** Called off while commands ran: all of them have ended, and the round can be run again. */
  | { kind: "interrupted" };

/** Longer than any run of gates; the holder's death frees the lock at once. */
const PATIENCE_MS = 24 * 60 * 60 * 1000;

export async function evaluate(evaluation: Evaluation): Promise<Evaluated> {
  const { asking, taskId, signal, until, patienceMs = PATIENCE_MS } = evaluation;
  const { house, context } = asking;
  await refuseAwaiting(house, taskId);
  const run = { house, taskId, cwd: context.cwd, agent: agentOf(context), signal, progress, patienceMs };
  function progress(line: string): void {
    context.note(`envoy: ${line}`);
  }
  try {
    for (;;) {
      await settleTaskGates(house);
      const advanced = await advance(run);
      if (advanced.end.kind !== "ask") return { kind: "ended", advanced };
      const asked = [];
      for (const gate of advanced.end.gates) asked.push(await askForApproval(house, gate, advanced));
      for (const { gate, how } of asked) if (!gate.end) announce(gate, asking, how);
      const waited = await waitForGate(house, asked[0]!.gate, {
        until,
        interrupted: signal,
        heartbeatMs: context.environment.ENVOY_HEARTBEAT,
      });
      if (waited.kind !== "ended" || waited.gate.end?.type !== "answered") return { kind: "waited", waited, advanced };
    }
  } catch (error) {
    if (signal.aborted && error === signal.reason) return { kind: "interrupted" };
    throw error;
  }
}

export const agentOf = (context: Context): string => whoAsks(context, {}).agent;

async function refuseAwaiting(house: House, taskId: string): Promise<void> {
  const derived = await derivedTask(house, taskId);
  if (derived?.status !== "awaiting_input") return;
  throw new EnvoyError("task_awaiting_input", { task_id: taskId, question_id: derived.human_input!.open_question_id });
}
