import { relative } from "node:path";
import type { FormDescription } from "../form/description.ts";
import { logsTemplate } from "../form/logs-placeholder.ts";
import type { Plan } from "../stores/plans.ts";
import { dayAndTime, now } from "../system/clock.ts";
import { formatDuration } from "../system/durations.ts";
import type { Gate } from "./gate.ts";
import type { GateState } from "./history.ts";
import type { House } from "./house.ts";

interface Asked {
  key: string;
  plan: Plan;
  subject: unknown;
  periodMs: number;
}

/** The whole form of a plan's gate: who asks, until when, and the declaration's fields. */
export function describeGateForm(house: House, gate: Gate, { key, plan, subject, periodMs }: Asked): FormDescription {
  const asker = house.environment.ENVOY_AGENT_ID ?? "an agent";
  return {
    key,
    title: [
      `${gate.title} of ${plan.branch ?? plan.name}. Asked by ${asker} on ${dayAndTime(now())}, who waits ${formatDuration(periodMs)}.`,
    ],
    schemaPath: relative(`${plan.directory}/user_feedback`, `${house.project.directory}/schemas/${gate.kind}.json`),
    fields: gate.template(subject),
  };
}

/** The file for logs beside a form, as envoy writes it. */
export const describeLogs = ({ id, opened }: GateState): string => logsTemplate({ gateId: id, what: `the logs for ${opened.key}` });
