// Gates by the names people and agents give them: an id, the end of one, or the key of an open form.
import { existsSync } from "node:fs";
import { EnvoyError } from "../../schemas/errors.ts";
import { inOrder } from "../system/in-order.ts";
import type { GateState } from "./history.ts";
import { type House, isQuestionId, readGate } from "./house.ts";
import { type KeyFact, lastGateIn } from "./open.ts";
import { gateIds, openGates } from "./settle.ts";

const SHORTEST_SUFFIX = 3;

export async function findGate(house: House, given: string): Promise<GateState> {
  const ids = await gateIds(house, { closed: true });
  if (ids.includes(given)) return (await readGate(house, given))!;
  const open = await openGates(house, (gate) => !gate.end);
  const named = open.filter((gate) => given === gate.opened.key || given === qualifiedKey(gate));
  const [first, ...others] = named;
  if (first && !others.length) return first;
  if (first) throw new EnvoyError("ambiguous_id", { given, candidates: named.map(qualifiedKey) });
  const ending = given.length < SHORTEST_SUFFIX ? [] : ids.filter((id) => id.endsWith(given));
  if (ending.length > 1) throw new EnvoyError("ambiguous_id", { given, candidates: ending });
  const found = ending[0] === undefined ? undefined : await readGate(house, ending[0]);
  if (!found && isQuestionId(given)) throw new EnvoyError("question_not_found", { id: given, ...outsideProject(house) });
  if (!found)
    throw new EnvoyError("gate_not_found", {
      id: given,
      known: open.map(qualifiedKey),
      last: await lastUnder(house, given),
      ...outsideProject(house),
    });
  return found;
}

/** Where nothing of envoy's lies, looking there for the list would find nothing either. */
const outsideProject = ({ project }: House): { outside?: string } => (existsSync(project.directory) ? {} : { outside: project.root });

/** A key names only what is open: an earlier decision must be asked for by its id, never be taken for the answer to a new question. */
async function lastUnder({ records }: House, key: string): Promise<string | undefined> {
  const names = (await records.list("key")).filter((name) => name.slice(0, name.lastIndexOf(".")) === key);
  const facts = await Promise.all(names.map(async (id) => lastGateIn(await records.read<KeyFact>({ kind: "key", id }))));
  return facts
    .filter((fact) => fact !== undefined)
    .toSorted((a, b) => inOrder(a.at, b.at))
    .at(-1)?.gate_id;
}

/** `<plan>/<key>`: what tells the forms of several plans apart. */
const qualifiedKey = ({ opened }: GateState): string => (opened.plan ? `${opened.plan.name}/${opened.key}` : opened.key);
