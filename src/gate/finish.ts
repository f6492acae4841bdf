// What was decided is done: the changes one by one, each safe to repeat, then the form goes, then the result stands.
import { type ChangeContext, type Outcome, makeChange } from "../stores/changes.ts";
import { formFile, logsFile, readSaved, removeSaved, savedSize, setAside } from "../stores/form-files.ts";
import { failpoint } from "../system/failpoint.ts";
import { decode } from "./decode.ts";
import { describeLogs } from "./describe.ts";
import type { Answered, GateResult, GateState, Withdrawn } from "./history.ts";
import { type House, gateStream, lockGate, placeOf, planOf, record, requireGate } from "./house.ts";

/** Brings an ended gate to its end. Two waiters: one applies, both get the result. */
export async function finish(house: House, id: string, { locked = false, first = false } = {}): Promise<GateState> {
  const gate = await requireGate(house, id);
  if (gate.applied) return gate;
  return locked ? apply(house, id, first) : lockGate(house, id, () => apply(house, id, first));
}

/** `first`: the answer was recorded by this process under the same lock, so that nothing of it can have been done yet. */
async function apply(house: House, id: string, first: boolean): Promise<GateState> {
  let gate = await requireGate(house, id);
  if (!gate.end || gate.applied) return gate;
  if (gate.end.type === "answered") gate = await makeChanges(house, gate, { end: gate.end, first });
  const saved = await takeAway(house, gate, gate.end!);
  await (await house.gateOf(gate.opened.kind)).tell?.(house, gate, gate.end!.type);
  failpoint("gate.applied");
  const applied = await record(house, gate, { type: "applied", ...(await finalResult(house, gate, saved)) });
  failpoint("gate.close");
  await house.records.close(gateStream(id));
  return applied;
}

interface Journal {
  end: Answered & { at: string };
  first: boolean;
}

async function makeChanges(house: House, started: GateState, { end, first }: Journal): Promise<GateState> {
  const { changes, answer, at } = end;
  let gate = started;
  const { plan, key } = gate.opened;
  const context: ChangeContext = {
    project: house.project,
    gateId: gate.id,
    first,
    key,
    at: new Date(answer.saved_at || at),
    ...(plan ? { plan: planOf(house, plan) } : {}),
  };
  for (const index of changes.keys()) {
    if (gate.outcomes.has(index)) continue;
    failpoint("gate.change");
    const outcome = await makeChange(changes, index, context);
    if (outcome) gate = await record(house, gate, { type: "stepped", index, outcome });
  }
  return gate;
}

/** More than any record holds; not worth reading to find that out. */
const MOST_LOGS = 64 * 1024 * 1024;

/** A form that was saved once more meanwhile is kept, and told; it answers nothing. */
async function takeAway(house: House, gate: GateState, end: Answered | Withdrawn): Promise<string[]> {
  const place = placeOf(house, gate.id, gate.opened);
  const kept: string[] = [];
  const files = [formFile(place), ...(place.logs ? [logsFile(place)] : [])];
  for (const file of files) {
    const expected = await expectedBytes(house, gate, { end, file });
    const aside = expected ? await removeSaved(place, file, expected) : await setAside(place, file);
    if (aside) kept.push(aside);
  }
  return kept;
}

/** What may be removed because the record has it; a file that holds anything else is kept, and always where this is undefined. */
async function expectedBytes(
  house: House,
  gate: GateState,
  { end, file }: { end: Answered | Withdrawn; file: string },
): Promise<Buffer | undefined> {
  const place = placeOf(house, gate.id, gate.opened);
  if (file === formFile(place) && end.type === "answered") return Buffer.from(end.answer.saved);
  // An editor may be writing right now: what a person has begun stays a file.
  if (file === formFile(place) && end.type === "withdrawn") return isOwn(gate, end.saved) ? Buffer.from(end.saved) : undefined;
  if ((await savedSize(file)) > MOST_LOGS) return undefined;
  const saved = await readSaved(place, file);
  if (!saved) return undefined;
  const { logsWithoutPlaceholder } = await import("../form/logs-placeholder.ts");
  const logs = logsWithoutPlaceholder(decode(saved.bytes).text, describeLogs(gate));
  const recorded = end.type === "answered" ? (end.answer.logs ?? "") : "";
  return logs === recorded ? saved.bytes : undefined;
}

const isOwn = ({ form, handedBack }: GateState, text: string | undefined): text is string =>
  text !== undefined && (text === form.written || text === handedBack?.text);

async function finalResult(house: House, gate: GateState, kept: string[]): Promise<{ result?: GateResult }> {
  if (gate.end?.type !== "answered") return {};
  const outcomes: Outcome[] = [...gate.outcomes].sort(([a], [b]) => a - b).map(([, outcome]) => outcome);
  const declaration = await house.gateOf(gate.opened.kind);
  const { result } = gate.end;
  const savedAgain = kept.map(
    (file) => `The form was saved once more after it was accepted; that text changed nothing and is kept in ${file}.`,
  );
  const problems = [...outcomes.flatMap((outcome) => outcome.problems ?? []), ...savedAgain];
  for (const problem of problems) house.note(`envoy: ${problem}`);
  return {
    result: { ...result, ...(await declaration.report?.(result, outcomes, { house, gate })), ...(problems.length ? { problems } : {}) },
  };
}
