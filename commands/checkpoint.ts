import { EnvoyError } from "../schemas/errors.ts";
import type { RoundFact } from "../schemas/rounds.ts";
import { addRounds } from "../src/quality/round-records.ts";
import { tell } from "../src/quality/tell.ts";
import { requireTask } from "../src/questions/task-records.ts";
import { isoNow } from "../src/system/clock.ts";
import { readChange } from "../src/system/git-change.ts";
import { type Flag, defineCommand } from "./command.ts";
import { text, toggle } from "./flags.ts";
import { duration } from "./gate-flags.ts";
import { agentOf } from "./gates/evaluate.ts";
import { askingFor, runAndReply } from "./gates/run.ts";
import { madeTask, whichTask } from "./gates/which-task.ts";
import { openSettledHouse } from "./settled-house.ts";
import { optionalTask } from "./task/task-id.ts";

const CONFIDENCE_RULE = "a number from 0 to 1";

const confidence = (): Flag<number | undefined> => ({
  kind: "value",
  value: "N",
  help: `how sure you are: ${CONFIDENCE_RULE}`,
  read: ([given], { name, command }) => {
    if (given === undefined) return undefined;
    const number = Number(given);
    if (given.trim() !== "" && number >= 0 && number <= 1) return number;
    throw new EnvoyError("invalid_argument", { name: `--${name}`, given, rule: CONFIDENCE_RULE, command });
  },
});

export const command = defineCommand({
  summary: "Say how far a task is; with --done, that it is finished, which runs its gates",
  flags: {
    task: optionalTask("the task; default: ENVOY_TASK_ID, or the branch's"),
    done: toggle("the work is finished: run the gates"),
    wait: duration("with --done: wait so long for a person, then end with `pending`"),
    summary: text("what was done, for whoever takes over"),
    confidence: confidence(),
    "context-exhausted": toggle("my context is used up: a fresh agent should go on if the gates fail"),
  },
  example: `envoy checkpoint --task login --done --summary "Passkeys work; recovery is untested" --wait 9m`,
  async run({ task, done, wait, summary, confidence: sure, "context-exhausted": exhausted }, context) {
    const house = await openSettledHouse(context);
    const taskId = await madeTask(house, whichTask(house, context, task));
    const { dir = context.cwd } = await requireTask(house, taskId);
    const files = (await readChange(dir))?.files ?? [];
    const by = agentOf(context);
    const said: RoundFact = {
      type: "checkpoint",
      at: isoNow(),
      by,
      files_modified: files,
      ...(summary === undefined ? {} : { work_summary: summary }),
      ...(sure === undefined ? {} : { confidence: sure }),
      ...(exhausted ? { context_exhausted: true } : {}),
    };
    await addRounds(house, taskId, [said]);
    if (done) {
      await tell(house, "task_completion_signaled", { task: taskId, who: by, work_summary: summary, confidence: sure });
      return runAndReply(askingFor(house, context, { taskId, wait }), taskId);
    }
    const { work_summary, files_modified, context_exhausted } = said;
    const next = `Go on; when it is finished: envoy checkpoint --task ${taskId} --done`;
    return { data: { task_id: taskId, work_summary, confidence: sure, files_modified, context_exhausted, next } };
  },
});
