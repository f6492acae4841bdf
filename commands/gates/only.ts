import { EXIT, EnvoyError } from "../../schemas/errors.ts";
import { feedbackOfRound } from "../../src/quality/feedback.ts";
import { runRound } from "../../src/quality/run-round.ts";
import { prepareRun, roundOf } from "../../src/quality/task-run.ts";
import { makeFolder } from "../../src/system/atomic-file.ts";
import { workTreeId } from "../../src/system/work-tree.ts";
import type { Reply } from "../command.ts";
import type { Asking } from "../gate-reply.ts";
import { agentOf } from "./evaluate.ts";
import { interrupted } from "./run-reply.ts";

/** One gate by itself, whatever its `when` says: a look, of which the recorded round knows nothing. */
export async function runOnly(asking: Asking, { taskId, name }: { taskId: string; name: string }): Promise<Reply> {
  const { house, context } = asking;
  const prepared = await prepareRun({ house, taskId, cwd: context.cwd });
  const known = prepared.gates.gates.filter(({ type }) => type !== "human");
  const gate = known.find((each) => each.name === name);
  if (!gate)
    throw new EnvoyError("invalid_argument", {
      name: "--only",
      given: name,
      rule: `a gate that runs without a person: ${known.map((each) => each.name).join(", ") || "there is none"}`,
      command: "gates run",
    });
  await makeFolder(house.project.root, prepared.outputFolder);
  const progress = (line: string) => context.note(`envoy: ${line}`);
  const signal = context.interruption();
  const end = await runRound({
    ...roundOf({ agent: agentOf(context), signal, progress }, prepared),
    gates: [gate],
    facts: [],
    record: () => Promise.resolve(),
    notApplicable: [],
    tree: async () => (await workTreeId(prepared.directory)) ?? "",
  }).catch((error: unknown) => {
    if (signal.aborted && error === signal.reason) return undefined;
    throw error;
  });
  if (!end) return interrupted(asking, taskId);
  if (end.kind !== "end") throw new Error(`the gate ${name} alone came to no end`);
  const { outcome, results } = end;
  return {
    data: {
      task_id: taskId,
      only: name,
      outcome,
      gates: results,
      feedback: feedbackOfRound(results),
      summary: `${name} alone: ${outcome}. Nothing was recorded.`,
      next: `Run all of them: envoy gates run --task ${taskId}`,
      output: prepared.outputFolder,
    },
    exitCode: { passed: EXIT.success, failed: EXIT.notCleared, error: EXIT.outside }[outcome],
  };
}
