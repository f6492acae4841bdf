import { findGate } from "../src/gate/find.ts";
import { type House, isQuestionId } from "../src/gate/house.ts";
import { withdraw } from "../src/gate/withdraw.ts";
import { withdrawQuestion } from "../src/questions/answer.ts";
import { standingAfter } from "../src/questions/consequences.ts";
import type { QuestionSubject } from "../src/questions/question.ts";
import { readConfig } from "../src/stores/config.ts";
import { refuseAgents } from "./agents.ts";
import { type Context, type Reply, defineCommand } from "./command.ts";
import { text } from "./flags.ts";
import { gateName } from "./gate-name.ts";
import { openSettledHouse } from "./settled-house.ts";

export const command = defineCommand({
  summary: "End a question or a gate without an answer; its waiters are told, the text is kept",
  positionals: { id: gateName() },
  flags: { reason: text("why, for those who wait") },
  example: `envoy withdraw plan_gate --reason "The feature was dropped."`,
  async run({ id: given, reason }, context) {
    const house = await openSettledHouse(context);
    const { id, opened, subject } = await findGate(house, given);
    const isOwn = isQuestionId(id) && mayTakeBack(subject as QuestionSubject, context);
    if (!isOwn) refuseAgents(context, (await readConfig(house.project.directory)).config.human_input, `withdrawing ${opened.key}`);
    return isQuestionId(id) ? withdrawn(house, id, reason) : gone(house, id, reason);
  },
});

/** An agent's own question, if it asks for no approval. */
const mayTakeBack = ({ agent_id, type }: QuestionSubject, { environment }: Context): boolean =>
  agent_id === environment.ENVOY_AGENT_ID && type !== "APPROVAL" && type !== "EMERGENCY";

async function withdrawn(house: House, id: string, reason: string | undefined): Promise<Reply> {
  const { subject } = await withdrawQuestion(house, id, reason);
  const standing = await standingAfter(house, subject as QuestionSubject);
  return { data: { question_id: id, question_status: "withdrawn", ...standing, reason } };
}

async function gone(house: House, id: string, reason: string | undefined): Promise<Reply> {
  const gate = await withdraw(house, id, reason);
  return { data: { gate_id: gate.id, gate: gate.opened.key, gate_status: "withdrawn", reason } };
}
