import { PreToolUsePayload } from "../../schemas/hooks.ts";
import { type HookReply, denyTool, letBe, onlyWaits, readPayload, refuse } from "../../src/quality/hooks.ts";
import { haltReasons } from "../../src/questions/halts.ts";
import { readState } from "../../src/questions/state.ts";
import { type Context, defineCommand } from "../command.ts";
import { openSettledHouse } from "../settled-house.ts";
import { whoAsks } from "../who-asks.ts";
import { hookReply, inTime, limit, wordsOf } from "./in-time.ts";

/** An agent without a name may have asked under the session's id or under none: both are its questions. */
const UNNAMED = "default";
const LIMIT_MS = 10_000;

export const command = defineCommand({
  summary: "Hook of Claude Code: deny a halted agent's tool calls, except those that only wait",
  details: "Reads the harness's JSON on stdin and answers in its protocol. An error or a time-out denies.",
  flags: { limit: limit("10s") },
  example: "envoy hook pre-tool-use < payload.json",
  async run({ limit: limitMs = LIMIT_MS }, context) {
    const work = answer(context).catch((error: unknown) => refuse(`envoy could not tell whether you are halted: ${wordsOf(error)}`));
    return hookReply(
      await inTime(limitMs, work, () => refuse(`envoy could not tell within ${limitMs} ms whether you are halted. Try again.`)),
    );
  },
});

async function answer(context: Context): Promise<HookReply> {
  const read = readPayload((await context.stdin()).toString("utf8"), PreToolUsePayload);
  if (!read.ok) return refuse(`envoy cannot read this hook's payload: ${read.reason}`);
  if (onlyWaits(read.payload)) return letBe();
  const who = whoAsks(context, {});
  const agents = who.agent === UNNAMED ? [read.payload.session_id, UNNAMED] : [who.agent];
  const state = await readState(await openSettledHouse(context));
  const [first, ...others] = agents.flatMap((agent) => haltReasons(state, { ...who, agent }));
  if (!first) return letBe();
  const more = others.length ? ` (and ${others.length} more)` : "";
  const wait = first.question_id === undefined ? `envoy check --agent ${agents[0]} --wait` : `envoy wait ${first.question_id} --wait 9m`;
  return denyTool(`You are halted since ${first.since}: ${first.reason}${more}. Only waiting is possible now: \`${wait}\`.`);
}
