import type { GateState } from "../../src/gate/history.ts";
import type { House } from "../../src/gate/house.ts";
import { openGates } from "../../src/gate/settle.ts";
import { settleTaskGates } from "../../src/quality/approvals.ts";
import { readRounds, tasksWithRounds } from "../../src/quality/round-records.ts";
import { foldRounds } from "../../src/quality/rounds.ts";
import { type RetryConfig, readConfig } from "../../src/stores/config.ts";
import { type Table, defineCommand } from "../command.ts";
import { fileOf } from "../gate-reply.ts";
import { openSettledHouse } from "../settled-house.ts";
import { optionalTask } from "../task/task-id.ts";

export const command = defineCommand({
  summary: "Where tasks stand with their gates: phase, rounds, feedback, and which person is waited for",
  flags: { task: optionalTask("only this task") },
  example: "envoy gates status --task login",
  async run({ task }, context) {
    const house = await openSettledHouse(context);
    await settleTaskGates(house);
    const { retry } = (await readConfig(house.project.directory)).config;
    const ids = (await tasksWithRounds(house)).filter((id) => task === undefined || id === task);
    const forms = await openGates(house, ({ opened, end }) => !end && ["human_approval", "stuck"].includes(opened.kind));
    const tasks = await Promise.all(ids.map((id) => statusOf(house, id, { retry, forms })));
    return { data: { tasks }, table: tableOf(tasks) };
  },
});

async function statusOf(house: House, id: string, { retry, forms }: { retry: RetryConfig; forms: GateState[] }) {
  const { phase, iteration, agent_id, gate_index, feedback, rounds, open, ...state } = foldRounds(await readRounds(house, id), retry);
  const waiting = forms.filter(({ opened }) => (opened.args as { task: string }).task === id);
  return {
    task_id: id,
    phase,
    iteration,
    max_iterations: retry.max_iterations,
    agent_id,
    gate_index,
    gates: open?.gates.map((name) => ({ name, outcome: open.results.get(name)?.outcome })),
    feedback,
    rounds,
    work_summary: state.work_summary,
    confidence: state.confidence,
    files_modified: state.files_modified,
    waits_for: waiting.map((gate) => ({ gate: gate.opened.key, gate_id: gate.id, file: fileOf(house, gate), since: gate.opened.at })),
    updated_at: state.updated_at,
  };
}

type Row = Awaited<ReturnType<typeof statusOf>>;

const tableOf = (tasks: readonly Row[]): Table => ({
  columns: ["task", "phase", "round", "failed gates", "waits for", "updated"],
  rows: tasks.map((row) => [
    row.task_id,
    row.phase,
    `${row.iteration} of ${row.max_iterations}`,
    row.feedback.map(({ gate_name }) => gate_name).join(", "),
    row.waits_for.map(({ file }) => file).join(", "),
    row.updated_at ?? "",
  ]),
  tones: tasks.map(({ phase, waits_for }) =>
    waits_for.length ? "wanted" : phase === "failed" ? "bad" : phase === "gates_passed" ? "past" : undefined,
  ),
  empty: "No gates have run yet.",
});
