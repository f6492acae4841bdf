// What a person reads above a decision about a change: agents' words, so they are notes and never help.
import { relative } from "node:path";
import { EnvoyError } from "../../schemas/errors.ts";
import type { Feedback, GateResult } from "../../schemas/quality.ts";
import type { FormDescription } from "../form/index.ts";
import type { Gate } from "../gate/gate.ts";
import type { GateState } from "../gate/history.ts";
import { type House, placeOf } from "../gate/house.ts";
import { formFile } from "../stores/form-files.ts";
import { dayAndTime, now } from "../system/clock.ts";
import { formatDuration } from "../system/durations.ts";
import { renderFeedback } from "./feedback.ts";

export interface ShownChange {
  task: { id: string; title?: string };
  directory: string;
  /** Files with their counts of lines. */
  summary: string;
  /** Shows the whole change. */
  command: string;
}

const MOST_FILES = 40;
const MOST_LINES = 60;

export const describeChange = ({ task, directory, summary, command }: ShownChange): string =>
  paragraphs(
    `Task ${task.id}${task.title ? `: ${task.title}` : ""}, in ${directory}`,
    summary ? `Changed:\n${shortened(summary, MOST_FILES)}` : "Nothing is changed against the main line.",
    `The whole change: ${command}`,
  );

export const describeResults = (results: readonly GateResult[]): string =>
  results.length
    ? `Gates so far:\n${results.map(({ name, outcome, duration_ms, summary }) => `- ${name}: ${outcome} in ${formatDuration(duration_ms)}; ${summary}`).join("\n")}`
    : "No other gate has run before this one.";

export const describeFeedback = (feedback: readonly Feedback[]): string => shortened(feedback.map(renderFeedback).join("\n\n"), MOST_LINES);

export const paragraphs = (...parts: string[]): string => parts.filter(Boolean).join("\n\n");

function shortened(text: string, most: number): string {
  const lines = text.split("\n");
  if (lines.length <= most) return text;
  return [...lines.slice(0, most - 1), `… ${lines.length - most} lines more …`, lines.at(-1)].join("\n");
}

interface Asked<S> {
  key: string;
  task: string;
  subject: S;
  timeoutMs?: number | undefined;
}

/** The form of a gate that belongs to a task and to no plan. */
export function describeTaskForm<S>(
  house: House,
  gate: Pick<Gate<never, S>, "kind" | "title" | "template">,
  { key, task, subject, timeoutMs }: Asked<S>,
): FormDescription {
  const asker = house.environment.ENVOY_AGENT_ID ?? "an agent";
  const waits = timeoutMs === undefined ? "There is no deadline." : `The agent waits ${formatDuration(timeoutMs)}.`;
  return {
    key,
    title: [`${gate.title} of task ${task}. Asked by ${asker} on ${dayAndTime(now())}. ${waits}`],
    schemaPath: relative(`${house.project.directory}/user_feedback`, `${house.project.directory}/schemas/${gate.kind}.json`),
    fields: gate.template(subject),
  };
}

/** `a_b` and gate `c` name the same form as `a` and gate `b_c`: the one that is open first has it. */
export function refuseOthers(house: House, gate: GateState, { task, kind }: { task: string; kind: string }): void {
  const { id } = (gate.subject as ShownChange).task;
  if (gate.opened.kind === kind && id === task) return;
  throw new EnvoyError("form_taken", { file: formFile(placeOf(house, gate.id, gate.opened)), task_id: task, other: id, gate_id: gate.id });
}
