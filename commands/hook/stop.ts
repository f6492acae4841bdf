import { StopPayload } from "../../schemas/hooks.ts";
import type { House } from "../../src/gate/house.ts";
import { sameFeedback } from "../../src/quality/feedback.ts";
import { type HookReply, type StopSituation, decideStop, readPayload } from "../../src/quality/hooks.ts";
import { outcomeOf, reportRun } from "../../src/quality/report.ts";
import { addRounds, readRounds } from "../../src/quality/round-records.ts";
import { foldRounds } from "../../src/quality/rounds.ts";
import { tell } from "../../src/quality/tell.ts";
import type { Advanced } from "../../src/quality/task-run.ts";
import { readTask } from "../../src/questions/task-records.ts";
import { readConfig } from "../../src/stores/config.ts";
import { isoNow } from "../../src/system/clock.ts";
import { type Context, defineCommand } from "../command.ts";
import { type Asking, withFlags } from "../gate-reply.ts";
import { agentOf, evaluate } from "../gates/evaluate.ts";
import { askingFor } from "../gates/run.ts";
import { madeTask, whichTask } from "../gates/which-task.ts";
import { openSettledHouse } from "../settled-house.ts";
import { hookReply, inTime, limit, wordsOf } from "./in-time.ts";

const LIMIT_MS = 45_000;
/** What ending the processes of a run may take beyond the limit. */
const ENDING_MS = 5_000;
const SLICE_MS = 9 * 60_000;

export const command = defineCommand({
  summary: "Hook of Claude Code: run the gates when the agent stops; what failed goes back to it",
  details:
    "Reads the harness's JSON on stdin and answers in its protocol. Without a task or configured gates the agent may stop. Gates that take longer than the limit are ended, and the agent is told to run them itself.",
  flags: { limit: limit("45s") },
  example: "envoy hook stop < payload.json",
  async run({ limit: limitMs = LIMIT_MS }, context) {
    const read = await inputWithin(limitMs, context);
    if (!read.ok) return hookReply(decideStop({ kind: "trouble", reason: read.reason }, {}));
    const { payload } = read;
    const decide = (situation: StopSituation): HookReply => decideStop(situation, payload);
    const work = situationOf(context, { payload, limitMs }).then(decide, (error: unknown) =>
      decide({ kind: "trouble", reason: wordsOf(error) }),
    );
    return hookReply(await inTime(limitMs + ENDING_MS, work, () => decide({ kind: "trouble", reason: `no answer within ${limitMs} ms` })));
  },
});

type Read = ReturnType<typeof readPayload<StopPayload>>;

async function inputWithin(limitMs: number, context: Context): Promise<Read> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Read>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, reason: `nothing came on stdin within ${limitMs} ms` }), limitMs);
  });
  const read = context.stdin().then((bytes) => readPayload(bytes.toString("utf8"), StopPayload));
  return Promise.race([read, late]).finally(() => clearTimeout(timer));
}

interface Stop {
  payload: StopPayload;
  limitMs: number;
}

async function situationOf(given: Context, stop: Stop): Promise<StopSituation> {
  if (given.environment.ENVOY_RUN_ID !== undefined) return { kind: "nothing_to_check" }; // a reviewer, which this very hook may have started
  const context = { ...given, cwd: stop.payload.cwd };
  const house = await openSettledHouse(context);
  const { config } = await readConfig(house.project.directory);
  const taskId = config.gates && (await taskOf(house, context));
  if (taskId === undefined) return { kind: "nothing_to_check" };
  const found = await checkTask(askingFor(house, context, { taskId, wait: SLICE_MS }), taskId, stop).catch(
    (error: unknown): StopSituation => ({ kind: "trouble", reason: wordsOf(error) }),
  );
  return found.kind === "trouble" ? remembered(house, { taskId, agent: agentOf(context) }, found) : found;
}

/** Once for each trouble, however the agent came here: kept twice, it would only go round in circles. */
async function remembered(
  house: House,
  { taskId, agent: by }: { taskId: string; agent: string },
  trouble: Extract<StopSituation, { kind: "trouble" }>,
): Promise<StopSituation> {
  const { refusals } = foldRounds(await readRounds(house, taskId), { on_stuck: "human" });
  await addRounds(house, taskId, [{ type: "hook_refused", at: isoNow(), by, reason: trouble.reason }]);
  return { ...trouble, refused: refusals > 0 };
}

async function checkTask(asking: Asking, taskId: string, { payload, limitMs }: Stop): Promise<StopSituation> {
  const { house, context } = asking;
  const over = new AbortController();
  const timer = setTimeout(() => over.abort("limit"), limitMs);
  try {
    await tell(house, "task_completion_signaled", { task: taskId, who: agentOf(context) });
    // An agent that was told to wait and stops instead is kept waiting here, so that it does not go round in circles.
    const until = new Date(Date.now() + (payload.stop_hook_active ? limitMs - ENDING_MS : 0));
    const evaluated = await evaluate({ asking, taskId, signal: over.signal, until, patienceMs: limitMs });
    const resume = withFlags(asking, "");
    if (evaluated.kind === "interrupted")
      return { kind: "trouble", reason: `the gates take longer than this hook may. Run \`${resume}\` yourself, then stop again` };
    if (evaluated.kind === "waited") return { kind: "pending", resume };
    return verdict(evaluated.advanced);
  } finally {
    clearTimeout(timer);
  }
}

async function taskOf(house: House, context: Context): Promise<string | undefined> {
  if (context.environment.ENVOY_TASK_ID !== undefined) return madeTask(house, whichTask(house, context));
  if (house.project.repository?.branch === undefined) return undefined;
  const id = whichTask(house, context);
  return (await readTask(house, id)) && id;
}

function verdict(advanced: Advanced): StopSituation {
  const { state } = advanced;
  const report = reportRun(advanced);
  switch (outcomeOf(advanced)) {
    case "passed":
      return { kind: "passed" };
    case "error":
      return { kind: "trouble", reason: report.summary };
    case "stuck":
      return { kind: "stuck", message: report.summary };
    case "failed": {
      if (!report.next_agent) return { kind: "stuck", message: report.summary };
      const [before, last] = state.rounds.slice(-2);
      const repeated = before !== undefined && last !== undefined && sameFeedback(before.feedback, last.feedback);
      return { kind: "failed", nextAgent: report.next_agent.kind, prompt: report.next_agent.prompt, repeated };
    }
  }
}
