import { fieldPaths } from "../src/form/field-paths.ts";
import { findGate } from "../src/gate/find.ts";
import type { GateFact, GateState } from "../src/gate/history.ts";
import { type House, gateStream, isQuestionId } from "../src/gate/house.ts";
import { look } from "../src/gate/look.ts";
import { waitedFor } from "../src/gate/waiters.ts";
import { defineCommand } from "./command.ts";
import { gateName } from "./gate-name.ts";
import { fileOf } from "./gate-reply.ts";
import { openHouse } from "./house.ts";

export const command = defineCommand({
  summary: "One gate or question: its state, its form's fields, its history, its result",
  positionals: { id: gateName() },
  example: "envoy show plan_gate",
  async run({ id }, context) {
    const house = await openHouse(context);
    const seen = await look(house, (await findGate(house, id)).id);
    const { gate } = seen;
    if (isQuestionId(gate.id)) {
      const { showQuestion } = await import("./show-question.ts");
      return showQuestion(house, seen);
    }
    const open = seen.state === "open" ? { form: seen.form, issues: seen.marks, fields: fieldPaths(gate.form.description) } : {};
    const waiting = (await waitedFor(house)).has(gate.id);
    const facts = await house.records.read(gateStream(gate.id));
    return { data: { ...describe(house, gate), ...open, agent_waits: waiting, ...answerOf(gate), history: facts.map(summarise) } };
  },
});

function describe(house: House, gate: GateState): object {
  const { opened, deadline, end, timesHandedBack } = gate;
  return {
    gate_id: gate.id,
    gate: opened.key,
    gate_status: end?.type ?? "open",
    plan: opened.plan?.name,
    file: end ? undefined : fileOf(house, gate),
    asked_by: opened.asked_by,
    opened_at: opened.at,
    deadline: deadline?.toISOString(),
    times_handed_back: timesHandedBack,
  };
}

function answerOf({ end, applied, delivered }: GateState): object {
  if (end?.type === "withdrawn") return { reason: end.reason, text_kept: end.saved };
  if (!end) return {};
  const { answered_by, via, user, email, saved_at, late, saved, logs } = end.answer;
  return { answered: { answered_by, via, user, email, saved_at, late }, form_text: saved, logs, delivered, result: applied?.result };
}

const summarise = ({ type, at, by }: GateFact & { at: string; by: object }): object => ({ fact: type, at, by });
