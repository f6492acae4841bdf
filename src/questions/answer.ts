// Answering and withdrawing other than through the form. One process at a time ends a question.
import { EnvoyError } from "../../schemas/errors.ts";
import { finish } from "../gate/finish.ts";
import type { GateState } from "../gate/history.ts";
import { type House, gateStream, isQuestionId, lockGate, placeOf, readGate, record } from "../gate/house.ts";
import { look } from "../gate/look.ts";
import { withdraw } from "../gate/withdraw.ts";
import { readSaved } from "../stores/form-files.ts";
import { now } from "../system/clock.ts";
import { whoIsHere } from "../system/who.ts";
import { readAnswer } from "./answers.ts";
import { answeredWith } from "./question-gate.ts";
import type { QuestionSubject } from "./question.ts";

export interface GivenAnswer {
  /** As typed, or as a program gives it. */
  answer: unknown;
  answeredBy: string;
  thoughts?: string;
  operationId?: string;
}

/** The first answer counts. An invalid one changes nothing at all; one that comes too late is only kept in the history. */
export async function answerQuestion(house: House, id: string, given: GivenAnswer): Promise<GateState> {
  const person = await whoIsHere(house.project.root);
  for (;;) {
    await requireQuestionGate(house, id);
    const seen = await look(house, id);
    const ended = await lockGate(house, id, async () => {
      const gate = await requireQuestionGate(house, id);
      const refused = refusal(gate);
      if (refused) return refuse(house, gate, { given, refused });
      const saved = (await readSaved(placeOf(house, id, gate.opened)))?.bytes.toString("utf8") ?? "";
      // Saved since it was looked at: that may be an answer, and it came first.
      if (seen.state === "open" && seen.bytes && saved !== seen.bytes.toString("utf8")) return undefined;
      const read = await readAnswer((gate.subject as QuestionSubject).expected_answer, given.answer);
      if (!read.ok) throw invalid(id, read.problems);
      const { answeredBy, thoughts, operationId } = given;
      const answering = { saved, at: now(), answeredBy, via: "envoy answer" as const, ...person };
      const extra = { ...(thoughts ? { thoughts } : {}), ...(operationId === undefined ? {} : { operationId }) };
      await record(house, gate, answeredWith(gate, read.value, { ...answering, ...extra }));
      return finish(house, id, { locked: true });
    });
    if (ended) return ended;
  }
}

async function requireQuestionGate(house: House, id: string): Promise<GateState> {
  const gate = isQuestionId(id) ? await readGate(house, id) : undefined;
  if (!gate) throw new EnvoyError("question_not_found", { id });
  return gate;
}

const invalid = (id: string, problems: string[]) =>
  new EnvoyError("question_invalid_answer", { question_id: id, issues: problems.map((message) => ({ path: "answer", message })) });

/** Why no answer is taken any more. */
function refusal(gate: GateState): EnvoyError | undefined {
  const { id, end, deadline } = gate;
  const { on_timeout, task_id } = gate.subject as QuestionSubject;
  if (end?.type === "answered")
    return new EnvoyError("question_already_answered", {
      question_id: id,
      answered_by: end.answer.answered_by,
      answered_at: end.answer.saved_at,
    });
  const terminal = (why: string) => new EnvoyError("question_answer_not_allowed_in_terminal_state", { question_id: id, why });
  if (end) return terminal(`it was withdrawn${end.reason ? ` (${end.reason})` : ""}`);
  if (on_timeout !== "fail" || deadline === null || deadline > now()) return undefined;
  const expired_at = deadline.toISOString();
  if (task_id !== undefined) return terminal(`it ran out at ${expired_at}, and task ${task_id} failed with it`);
  return new EnvoyError("question_expired", { question_id: id, expired_at, on_timeout });
}

async function refuse(house: House, gate: GateState, { given, refused }: { given: GivenAnswer; refused: EnvoyError }): Promise<never> {
  const { answer, answeredBy, operationId } = given;
  const operation = operationId === undefined ? {} : { operation_id: operationId };
  const tried = { type: "tried" as const, answer, answered_by: answeredBy, refused: refused.type, ...operation };
  // Delivering an ended question needs no lock, so the history may have grown since.
  for (let { length } = gate; !(await house.records.append(gateStream(gate.id), length, tried));)
    ({ length } = await requireQuestionGate(house, gate.id));
  throw refused;
}

/** Also of an expired one, whose halt it lifts. */
export async function withdrawQuestion(house: House, id: string, reason?: string): Promise<GateState> {
  const { gate } = await look(house, (await requireQuestionGate(house, id)).id);
  if (gate.end?.type === "answered") throw refusal(gate)!;
  try {
    return await withdraw(house, id, reason);
  } catch (error) {
    if (!(error instanceof EnvoyError && error.type === "gate_ended")) throw error;
    const { end } = await requireQuestionGate(house, id);
    throw end?.type === "answered" ? refusal(await requireQuestionGate(house, id))! : error;
  }
}
