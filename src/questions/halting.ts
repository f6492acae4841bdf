// Manual halts: each is a record of its own that only `resume` ends. No answer lifts one.
import { randomBytes } from "node:crypto";
import type { House } from "../gate/house.ts";
import { appendEvent } from "../stores/events.ts";
import type { Stream } from "../stores/records.ts";
import { type HaltFact, type HaltScope, type ManualHalt, foldHalt } from "./halts.ts";
import { liveHalts } from "./state.ts";

const haltStream = (id: string): Stream<HaltFact> => ({ kind: "halt", id });

export interface Scope {
  scope: HaltScope;
  /** Empty for everyone. */
  id: string;
}

export async function readHalt({ records }: Pick<House, "records">, id: string): Promise<ManualHalt | undefined> {
  return foldHalt(id, await records.read(haltStream(id)));
}

export async function halt(
  house: House,
  { scope, id }: Scope,
  { reason, by, questionId }: { reason: string; by: string; questionId?: string },
): Promise<ManualHalt> {
  const haltId = `h_${randomBytes(7).toString("hex")}`;
  const question = questionId === undefined ? {} : { question_id: questionId };
  await house.records.append(haltStream(haltId), 0, { type: "halted", scope, id, reason, halted_by: by, ...question });
  await appendEvent(house.project, { event: "halted", scope, ...named(scope, id), who: by, why: reason, halt_id: haltId });
  return (await readHalt(house, haltId))!;
}

/** Lifts every manual halt of exactly this scope. Questions stay as they are. */
export async function resume(house: House, { scope, id }: Scope, { by, answer }: { by: string; answer?: string }): Promise<ManualHalt[]> {
  const lifted: ManualHalt[] = [];
  for (const each of (await liveHalts(house)).filter((live) => live.scope === scope && live.id === id)) {
    const stream = haltStream(each.halt_id);
    const told = await house.records.append(stream, 1, { type: "resumed", resumed_by: by, ...(answer === undefined ? {} : { answer }) });
    await house.records.close(stream);
    if (!told) continue; // somebody else has lifted it meanwhile
    await appendEvent(house.project, { event: "resumed", scope, ...named(scope, id), who: by, why: answer, halt_id: each.halt_id });
    lifted.push(each);
  }
  return lifted;
}

const named = (scope: HaltScope, id: string) => (scope === "all" ? {} : { [`${scope}_id`]: id });
