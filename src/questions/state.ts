// Reading what is live: open and expired questions, manual halts, and single records by their id.
import { inOrder } from "../system/in-order.ts";
import { EnvoyError } from "../../schemas/errors.ts";
import type { GateFact } from "../gate/history.ts";
import { type House, gateStream, isQuestionId } from "../gate/house.ts";
import type { Recorded } from "../stores/records.ts";
import { now } from "../system/clock.ts";
import { type HaltFact, type ManualHalt, type State, foldHalt } from "./halts.ts";
import { type Question, byAge, foldQuestion } from "./question.ts";

type Reading = Pick<House, "records">;

const isHaltId = (id: string): boolean => id.startsWith("h_");

export type LiveFacts = { id: string; facts: Recorded<GateFact>[] }[];
export const liveQuestionFacts = ({ records }: Pick<House, "records">): Promise<LiveFacts> =>
  records.readLive<GateFact>("question", isQuestionId);

/** Whatever cannot be read is an error: never is somebody cleared because a record is damaged. */
export async function liveQuestions(house: Reading): Promise<Question[]> {
  return foldAll(await liveQuestionFacts(house));
}

function foldAll(live: LiveFacts): Question[] {
  const at = now();
  const questions = live.map(({ id, facts }) => foldQuestion(id, facts, at));
  return questions.filter((question) => question !== undefined).toSorted(byAge);
}

export async function liveHalts({ records }: Reading): Promise<ManualHalt[]> {
  const halts = (await records.readLive<HaltFact>("halt", isHaltId)).flatMap(({ id, facts }) => foldHalt(id, facts) ?? []);
  return halts.filter((halt) => !halt.resumed).toSorted((a, b) => inOrder(a.since, b.since));
}

/** `known` are the live questions where somebody has just read them. */
export async function readState(house: Reading, known?: LiveFacts): Promise<State> {
  return { questions: known ? foldAll(known) : await liveQuestions(house), halts: await liveHalts(house) };
}

export async function readQuestion({ records }: Reading, id: string): Promise<Question | undefined> {
  return foldQuestion(id, await records.read(gateStream(id)), now());
}

export async function requireQuestion(house: Reading, id: string): Promise<Question> {
  const question = isQuestionId(id) ? await readQuestion(house, id) : undefined;
  if (!question) throw new EnvoyError("question_not_found", { id });
  return question;
}

/** Also those that have ended, which takes as long as there are many. */
export async function allQuestions(house: Reading): Promise<Question[]> {
  const ids = (await house.records.list("question", { closed: true })).filter(isQuestionId);
  const questions = await Promise.all(ids.map((id) => readQuestion(house, id)));
  return questions.filter((question) => question !== undefined).toSorted(byAge);
}
