// The people's part of a round: their forms are opened, brought up to date, and taken when they were answered.
import { attach } from "../gate/attach.ts";
import type { GateState } from "../gate/history.ts";
import type { House } from "../gate/house.ts";
import { look } from "../gate/look.ts";
import { deadlineFrom, openGate } from "../gate/open.ts";
import { openGates } from "../gate/settle.ts";
import { showAgain } from "../gate/show-again.ts";
import { isoNow } from "../system/clock.ts";
import type { HumanGate } from "./gates.ts";
import { type ApprovalSubject, gate as humanGate } from "./human-gate.ts";
import { describeTaskForm, refuseOthers } from "./shown-change.ts";
import { basisOf } from "./steps.ts";
import { gate as stuckGate } from "./stuck-gate.ts";
import type { Advanced } from "./task-run.ts";

/** Takes what was answered while nobody waited; any command that looks at a task's gates begins so. */
export async function settleTaskGates(house: House): Promise<void> {
  const kinds = [humanGate.kind, stuckGate.kind];
  for (const { id } of await openGates(house, ({ opened }) => kinds.includes(opened.kind))) await look(house, id);
}

/** Opens the form, or attaches to it: a form about an older tree shows the present one, with what was typed kept. */
export async function askForApproval(
  house: House,
  gate: HumanGate,
  advanced: Advanced,
): Promise<{ gate: GateState; how: "opened" | "attached to" }> {
  const { task_id: task } = advanced.task;
  const subject = subjectOf(gate, advanced);
  const key = humanGate.key({ task, gate: gate.name });
  const form = describeTaskForm(house, humanGate, { key, task, subject, timeoutMs: gate.timeoutMs });
  const opened = await openGate(house, {
    kind: humanGate.kind,
    key,
    args: { task, gate: gate.name },
    subject,
    form,
    deadline: gate.timeoutMs === undefined ? null : deadlineFrom(gate.timeoutMs),
    askedBy: house.environment.ENVOY_AGENT_ID ?? "an agent",
  });
  refuseOthers(house, opened, { task, kind: humanGate.kind });
  const shown = opened.subject as ApprovalSubject;
  if (shown.asked_at === subject.asked_at) return { gate: opened, how: "opened" };
  if (gate.timeoutMs !== undefined) await attach(house, opened.id, { periodMs: gate.timeoutMs });
  const current = { subject: shown.basis === subject.basis ? shown : subject, form: { ...opened.form.description, fields: form.fields } };
  return { gate: shown.basis === subject.basis ? opened : await showAgain(house, opened.id, current), how: "attached to" };
}

function subjectOf({ name, prompt }: HumanGate, { task, change, gates, directory, end, state }: Advanced): ApprovalSubject {
  const { summary, command, tree } = change;
  return {
    task: { id: task.task_id, ...(task.title === undefined ? {} : { title: task.title }) },
    directory,
    summary,
    command,
    gate: name,
    prompt,
    iteration: state.iteration,
    results: end.kind === "ask" ? end.results : [],
    basis: state.open?.bases.at(-1) ?? basisOf(tree, gates.gates),
    asked_at: isoNow(),
  };
}
