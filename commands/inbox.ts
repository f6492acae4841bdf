import { inOrder } from "../src/system/in-order.ts";
import type { GateState } from "../src/gate/history.ts";
import { isQuestionId } from "../src/gate/house.ts";
import { look } from "../src/gate/look.ts";
import { clearLeftOvers, openGates, unlessDamaged } from "../src/gate/settle.ts";
import { waitedFor } from "../src/gate/waiters.ts";
import type { QuestionSubject } from "../src/questions/question.ts";
import { listPlans } from "../src/stores/plans.ts";
import { now } from "../src/system/clock.ts";
import { formatDuration } from "../src/system/durations.ts";
import { type Table, defineCommand } from "./command.ts";
import { fileOf } from "./gate-reply.ts";
import { openHouse } from "./house.ts";
import { clip } from "./task/rows.ts";

export const command = defineCommand({
  summary: "Everything that waits for a person, of all plans, oldest first",
  example: "envoy inbox",
  async run(_input, context) {
    const house = await openHouse(context);
    const waiting = await waitedFor(house);
    const gates = await openGates(house, (gate) => !gate.end);
    for (const plan of await listPlans(house.project)) await clearLeftOvers(house, plan, gates);
    const looks = await Promise.all(gates.map(({ id }) => unlessDamaged(house, id, () => look(house, id))));
    const open = looks.filter((seen) => seen?.state === "open").toSorted((a, b) => inOrder(a.gate.opened.at, b.gate.opened.at));
    const inbox = open.map(({ gate, form }) => ({
      gate: gate.opened.key,
      gate_id: gate.id,
      ...(isQuestionId(gate.id) ? questionOf(gate) : {}),
      plan: gate.opened.plan?.name,
      asked_by: gate.opened.asked_by,
      opened_at: gate.opened.at,
      deadline: gate.deadline?.toISOString(),
      form,
      agent_waits: waiting.has(gate.id),
      file: fileOf(house, gate),
    }));
    const ago = (at: string) => formatDuration(now().getTime() - Date.parse(at));
    const left = (at: string | undefined) =>
      at ? (Date.parse(at) <= now().getTime() ? "over" : formatDuration(Date.parse(at) - now().getTime())) : "never";
    const table: Table = {
      sparse: true,
      tones: inbox.map((row) => (left(row.deadline) === "over" ? "bad" : undefined)),
      columns: ["what", "plan", "asked by", "since", "time left", "form", "agent", "file"],
      rows: inbox.map((row) => [
        "question" in row ? `❓ ${clip(row.question, 50)}` : row.gate,
        row.plan ?? "",
        row.asked_by,
        ago(row.opened_at),
        left(row.deadline),
        row.form.replace("_", " "),
        row.agent_waits ? "waits" : "gone",
        row.file,
      ]),
      empty: "Nothing waits for you.",
    };
    return { data: { inbox }, table };
  },
});

function questionOf({ id, subject }: GateState) {
  const { prompt, type, task_id, session_id } = subject as QuestionSubject;
  return { question_id: id, question: prompt, type, task_id, session_id };
}
