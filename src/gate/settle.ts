// Finishing what an interrupted command began: answers that were given while nobody waited, changes half made, and
// forms that an editor saved once more after they were accepted.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { EXIT, EnvoyError } from "../../schemas/errors.ts";
import { gatesNamedIn } from "../form/write.ts";
import { readSaved, setAside } from "../stores/form-files.ts";
import type { Plan } from "../stores/plans.ts";
import { finishTrail } from "../stores/user-input.ts";
import { now } from "../system/clock.ts";
import { isTemporaryName, listFolder, lstatIfThere } from "../system/safe-path.ts";
import type { GateState } from "./history.ts";
import { type House, isQuestionId, placeOf, readGate, referTo } from "./house.ts";
import { look } from "./look.ts";
import { needsLook } from "./needs-look.ts";

/** All of one plan's gates, and those that belong to none. */
export async function settlePlan(house: House, plan: Plan): Promise<void> {
  await unlessDamaged(house, "the end of user_input.md", () => finishTrail(plan));
  const here = referTo(house, plan);
  const gates = await openGates(house, (gate) => gate.opened.plan === undefined || gate.opened.plan.directory === here.directory);
  for (const gate of gates.filter((each) => needsLook(house, each))) await unlessDamaged(house, gate.id, () => look(house, gate.id));
  await clearLeftOvers(house, plan, gates);
}

/** Gates whose histories are not closed. One that cannot be read is named, and hides no other. */
export async function openGates(house: House, wanted: (gate: GateState) => boolean = () => true): Promise<GateState[]> {
  const gates = await Promise.all((await gateIds(house)).map((id) => readOrName(house, id)));
  return gates.filter((gate) => gate !== undefined && wanted(gate)) as GateState[];
}

/** Of gates and questions alike. */
export async function gateIds({ records }: House, options: { closed?: boolean } = {}): Promise<string[]> {
  const [gates, questions] = await Promise.all([records.list("gate", options), records.list("question", options)]);
  return [...gates, ...questions.filter(isQuestionId)];
}

const readOrName = (house: House, id: string): Promise<GateState | undefined> => unlessDamaged(house, id, () => readGate(house, id));

/** What is damaged is named here and reported by its own command; it stops no other work. */
export async function unlessDamaged<T>(house: House, what: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof EnvoyError) || error.exitCode !== EXIT.data) throw error;
    house.note(`envoy: passed over ${what}: ${error.message}`);
    return undefined;
  }
}

/** No write takes this long, so whoever made it is dead. */
const ABANDONED_MS = 60_000;

async function removeIfOld(file: string): Promise<void> {
  const stats = await lstatIfThere(file);
  if (stats && now().getTime() - stats.mtimeMs > ABANDONED_MS) await rm(file, { force: true });
}

/** What lies under another key than those of open gates. */
export async function clearLeftOvers(house: House, plan: Plan, gates: readonly GateState[]): Promise<void> {
  const here = referTo(house, plan).directory;
  const open = new Set(gates.filter(({ end, opened }) => !end && opened.plan?.directory === here).map(({ opened }) => opened.key));
  const folder = join(plan.directory, "user_feedback");
  const { root } = placeOf(house, "unknown", { key: "any", plan: referTo(house, plan), logs: false });
  const names = (await listFolder(root, folder)).map(({ name }) => name);
  for (const name of names.filter(isTemporaryName)) await removeIfOld(join(folder, name));
  for (const name of names.filter((each) => each.endsWith(".yaml"))) {
    const key = name.slice(0, -".yaml".length);
    if (open.has(key)) continue;
    const at = { key, plan: referTo(house, plan), logs: false };
    const saved = await unlessDamaged(house, key, () => readSaved(placeOf(house, "unknown", at)));
    const id = saved && gatesNamedIn(saved.bytes.toString("utf8")).at(-1);
    const gate = id === undefined ? undefined : await readOrName(house, id);
    if (!gate?.applied || gate.opened.key !== key) continue;
    const aside = await setAside(placeOf(house, gate.id, at));
    if (aside)
      house.note(
        `envoy: ${name} was saved again after ${gate.id} was ${gate.end!.type}; that changes nothing. The text is kept in ${aside}`,
      );
  }
}
