// An operation id makes a command exact: done once, and told in the same words to whoever repeats it, from any process.
import { createHash } from "node:crypto";
import { EnvoyError } from "../../schemas/errors.ts";
import type { House } from "../gate/house.ts";
import type { Stream } from "../stores/records.ts";

type OperationFact<D> =
  /** `candidate` is the id of the question that this operation would open. */
  | { type: "began"; payload: string; candidate: string }
  | { type: "attached"; question_id: string }
  | { type: "replied"; data: D; exit_code: number };

export interface Operation<D> {
  /** What was replied; undefined: it was begun, but nobody got a result. */
  replied?: { data: D; exitCode: number };
  candidate: string;
  /** The question that it turned out to be about. */
  questionId?: string;
}
export interface Operated {
  id: string;
  /** Everything that must be the same when it is repeated. */
  payload: unknown;
  candidate: string;
}

const digest = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 40);
const streamOf = <D>(id: string): Stream<OperationFact<D>> => ({ kind: "operation", id: `op.${digest(id)}` });

export async function beginOperation<D extends object>(house: House, { id, payload, candidate }: Operated): Promise<Operation<D>> {
  const told = digest(JSON.stringify(payload));
  for (;;) {
    const facts = await house.records.read(streamOf<D>(id));
    const [first] = facts;
    if (first?.type === "began") {
      if (first.payload !== told) throw new EnvoyError("operation_id_mismatch", { operation_id: id });
      const replied = facts.find((fact) => fact.type === "replied");
      const attached = facts.find((fact) => fact.type === "attached");
      return {
        candidate: first.candidate,
        ...(replied ? { replied: { data: replied.data, exitCode: replied.exit_code } } : {}),
        ...(attached ? { questionId: attached.question_id } : {}),
      };
    }
    if (await house.records.append(streamOf<D>(id), 0, { type: "began", payload: told, candidate })) return { candidate };
  }
}

export async function noteQuestion(house: House, id: string, questionId: string): Promise<void> {
  await addOnce(house, id, { type: "attached", question_id: questionId });
}

/** The first reply counts, also for the one who was slower. */
export async function recordReply<D extends object>(house: House, id: string, reply: { data: D; exitCode: number }): Promise<typeof reply> {
  const told = await addOnce<D>(house, id, { type: "replied", data: reply.data, exit_code: reply.exitCode });
  return told.type === "replied" ? { data: told.data, exitCode: told.exit_code } : reply;
}

async function addOnce<D extends object>(house: House, id: string, fact: OperationFact<D>): Promise<OperationFact<D>> {
  for (;;) {
    const facts = await house.records.read(streamOf<D>(id));
    const same = facts.find(({ type }) => type === fact.type);
    if (same) return same;
    if (await house.records.append(streamOf<D>(id), facts.length, fact)) return fact;
  }
}
