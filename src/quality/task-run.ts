// The gates of one task: reads what is configured and changed, runs its round as far as it goes without a person.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { EnvoyError } from "../../schemas/errors.ts";
import type { RoundFact } from "../../schemas/rounds.ts";
import { type House, lockNamed } from "../gate/house.ts";
import { addToTask, requireTask } from "../questions/task-records.ts";
import type { Task } from "../questions/tasks.ts";
import { type RetryConfig, readConfig } from "../stores/config.ts";
import { makeFolder } from "../system/atomic-file.ts";
import { isoNow } from "../system/clock.ts";
import { type Change, readChange } from "../system/git-change.ts";
import { workTreeId } from "../system/work-tree.ts";
import { announceEnd } from "./announce.ts";
import { notApplicable } from "./applicable.ts";
import { type Gates, requireGates } from "./gates.ts";
import { addRounds, readRounds } from "./round-records.ts";
import { type TaskGates, foldRounds, resultsOf } from "./rounds.ts";
import { type RoundEnd, type RoundRun, runRound } from "./run-round.ts";
import { basisOf } from "./steps.ts";
import { tell } from "./tell.ts";

export interface TaskRun {
  house: House;
  taskId: string;
  /** Where the work lies, unless the task says so itself. */
  cwd: string;
  agent: string;
  signal: AbortSignal;
  progress: (line: string) => void;
  /** How long another run of the same task's gates is waited for. */
  patienceMs: number;
}
export interface Advanced {
  end: RoundEnd;
  state: TaskGates;
  task: Task;
  change: Change;
  retry: RetryConfig;
  gates: Gates;
  directory: string;
  /** Takes the whole output of what ran. */
  outputFolder: string;
}

export type Prepared = Omit<Advanced, "end" | "state"> & { file: string };

export async function prepareRun({ house, taskId, cwd }: Pick<TaskRun, "house" | "taskId" | "cwd">): Promise<Prepared> {
  const config = await readConfig(house.project.directory);
  const gates = requireGates(config);
  const task = await requireTask(house, taskId);
  const directory = task.dir ?? cwd;
  const change = await readChange(directory).catch(missingFolder);
  if (!change) throw new EnvoyError("not_a_work_tree", { directory });
  const stamp = `${isoNow().replace(/[:.]/g, "-")}-${randomBytes(3).toString("hex")}`;
  const outputFolder = join(house.project.directory, "state", "gate-output", taskId, stamp);
  return { task, change, gates, retry: config.config.retry, directory, outputFolder, file: config.file };
}

/** git cannot be started where there is no folder. */
function missingFolder(error: { code?: unknown }): undefined {
  if (error.code !== "ENOENT") throw error;
}

/** Other runs of the same task's gates stand in line, and go on with what this one has found. */
export async function advance(run: TaskRun): Promise<Advanced> {
  return lockNamed(run.house, { name: `gates-${run.taskId}`, patienceMs: run.patienceMs }, () => advanceAlone(run));
}

async function advanceAlone(run: TaskRun): Promise<Advanced> {
  const { house, taskId } = run;
  const prepared = await prepareRun(run);
  const { task, change, gates, retry, directory } = prepared;
  const earlier = await readRounds(house, taskId);
  await announceEnd(house, prepared, earlier);
  const state = foldRounds(await readRounds(house, taskId), retry);
  const basis = basisOf(change.tree, gates.gates);
  if (state.phase === "gates_passed" && state.last?.bases.includes(basis)) return { ...prepared, state, end: passedBefore(state) };

  await makeFolder(house.project.root, prepared.outputFolder);
  const end = await runRound({
    ...roundOf(run, prepared),
    facts: await readRounds(house, taskId),
    record: (facts) => recordAndTell(run, task, facts),
    notApplicable: notApplicable(gates.gates, { task, changedFiles: change.files, file: prepared.file }),
    tree: async () => (await workTreeId(directory)) ?? "",
  });
  await announceEnd(house, prepared, await readRounds(house, taskId));
  return { ...prepared, end, state: foldRounds(await readRounds(house, taskId), retry) };
}

/** What every run of gates has, recorded or not. */
export function roundOf(
  { agent, signal, progress }: Pick<TaskRun, "agent" | "signal" | "progress">,
  { task, change, gates, retry, directory, outputFolder }: Prepared,
): Omit<RoundRun, "facts" | "record" | "notApplicable" | "tree"> {
  const { task_id: id, title } = task;
  return {
    gates: gates.gates,
    retry,
    by: agent,
    now: isoNow,
    context: {
      cwd: directory,
      root: change.root,
      diff: change.diff,
      changedFiles: change.files,
      task: { id, ...(title === undefined ? {} : { title }) },
      outputFolder,
      env: process.env,
      signal,
      progress,
    },
  };
}

/** The same tree has passed already; whoever ran it may have died before anyone heard. */
const passedBefore = ({ last }: TaskGates): RoundEnd => ({
  kind: "end",
  outcome: "passed",
  results: resultsOf(last!),
  facts: [],
});

async function recordAndTell({ house, taskId, agent: who }: TaskRun, task: Task, facts: RoundFact[]): Promise<void> {
  await addRounds(house, taskId, facts);
  for (const fact of facts) {
    const { iteration } = foldRounds(await readRounds(house, taskId), { on_stuck: "human" });
    const about = { task: taskId, who, iteration, at: fact.at };
    if (fact.type === "round_started") {
      // What passed before is another tree's: it leaves the merge queue until this one has passed.
      if (task.stored === "ready_to_merge") await addToTask(house, taskId, () => ({ type: "set", status: "in_progress" }));
      await tell(house, "gate_evaluation_started", { ...about, gates: fact.gates });
    }
    // An earlier run's verdict, which it did not live to record: the round after it begins at the same time.
    if (fact.type === "round_ended" && fact !== facts.at(-1))
      await tell(house, "gate_failed_retrying", { ...about, feedback: fact.feedback });
    if (fact.type === "gate_finished")
      await tell(house, "gate_completed", { ...about, gate: fact.result.name, result: fact.result.outcome });
  }
}
