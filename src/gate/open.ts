// Opens a gate, or attaches to the one that is open under the same key.
import { createHash, randomBytes } from "node:crypto";
import { isAbsolute } from "node:path";
import type { FormDescription } from "../form/description.ts";
import { writeForm } from "../form/write.ts";
import { copyEditorSchema } from "../stores/editor-schemas.ts";
import { formFile, logsFile, readSaved, setAside } from "../stores/form-files.ts";
import type { Plan } from "../stores/plans.ts";
import { ensureProject } from "../stores/project.ts";
import type { Recorded, Stream } from "../stores/records.ts";
import { now } from "../system/clock.ts";
import { failpoint } from "../system/failpoint.ts";
import type { GateState } from "./history.ts";
import { type House, gateStream, lockGate, placeOf, readGate, referTo, requireGate } from "./house.ts";
import { writeFiles } from "./look.ts";

/** A key's history: every gate that was opened under it, and how long its subjects were waited for before that. */
export type KeyFact = { type: "gate"; gate_id: string } | { type: "awaited"; until: string };

export const lastGateIn = (history: readonly Recorded<KeyFact>[]) => history.findLast((fact) => fact.type === "gate");
export interface Opening {
  kind: string;
  /** Its own id where left out. */
  key?: string;
  /** Of all that open at once under this name there is one; the key where left out. */
  claim?: string;
  plan?: Plan;
  args: unknown;
  subject: unknown;
  form: FormDescription;
  logs?: boolean;
  deadline: Date | null;
  expires?: boolean;
  /** Whether an earlier gate is over and a new one is to be opened; when it has ended, where left out. */
  isOver?: (state: GateState) => boolean;
  askedBy: string;
  /** Questions bring their own. */
  id?: string;
  /** The key's last gate when the subjects were read. A later one has asked about them already, whatever became of it. */
  after?: string | undefined;
}

/** What a record's name holds beside the place. */
const LONGEST_KEY = 110;
const shortened = (key: string): string => `${key.slice(0, 80)}-${createHash("sha256").update(key).digest("hex").slice(0, 16)}`;

function keyStream(house: House, key: string, plan: Plan | undefined): Stream<KeyFact> {
  const directory = plan ? referTo(house, plan).directory : "";
  const place = createHash("sha256")
    .update(isAbsolute(directory) ? directory : `./${directory}`)
    .digest("hex")
    .slice(0, 12);
  return { kind: "key", id: `${key.length <= LONGEST_KEY ? key : shortened(key)}.${place}` };
}

/** The gate that was last opened under this key, whatever has become of it. */
export async function currentGate(house: House, key: string, plan: Plan | undefined): Promise<GateState | undefined> {
  const last = lastGateIn(await house.records.read(keyStream(house, key, plan)));
  return last && readGate(house, last.gate_id);
}

/** Of several that open at once one wins, and all get its gate. */
export async function openGate(house: House, opening: Opening): Promise<GateState> {
  const stream = keyStream(house, (opening.claim ?? opening.key)!, opening.plan);
  const { isOver = ({ end }) => end !== undefined } = opening;
  for (;;) {
    const history = await house.records.read(stream);
    const last = lastGateIn(history)?.gate_id;
    const state = last === undefined ? undefined : await readGate(house, last);
    if (last !== undefined && !state) return begin(house, last, opening); // whoever claimed the key died before it wrote
    if (state && (!isOver(state) || ("after" in opening && last !== opening.after))) return state;
    const id = opening.id ?? newGateId();
    failpoint("gate.claim");
    if (await house.records.append(stream, history.length, { type: "gate", gate_id: id })) return begin(house, id, opening);
  }
}

/** Until when the subjects of a gate are waited for, which several callers and calls do in slices. */
export async function awaitedUntil(
  house: House,
  { key, plan }: { key: string; plan: Plan },
  { periodMs, anew }: { periodMs: number; anew: boolean },
): Promise<Date> {
  const stream = keyStream(house, key, plan);
  for (let extend = anew; ; extend = false) {
    const history = await house.records.read(stream);
    const last = history.at(-1);
    if (!extend && last?.type === "awaited" && Date.parse(last.until) > now().getTime()) return new Date(last.until);
    const until = deadlineFrom(periodMs);
    if (await house.records.append(stream, history.length, { type: "awaited", until: until.toISOString() })) return until;
  }
}

/** 55 random bits, in letters that cannot be misread. */
export function newGateId(prefix = "g_"): string {
  const letters = "0123456789abcdefghjkmnpqrstvwxyz";
  return prefix + [...randomBytes(11)].map((byte) => letters[byte % 32]).join("");
}

async function begin(house: House, id: string, opening: Opening): Promise<GateState> {
  const { kind, key = id, plan, args, subject, logs, deadline, expires, askedBy } = opening;
  const form = { description: { ...opening.form, key }, written: writeForm({ ...opening.form, key }, { gateId: id }) };
  await ensureProject(house.project);
  await copyEditorSchema(house.project, kind);
  await lockGate(house, id, async () => {
    await clearPlace(house, id, { ...opening, key });
    failpoint("gate.open");
    const first = await house.records.append(gateStream(id), 0, {
      type: "opened",
      kind,
      key,
      ...(plan ? { plan: referTo(house, plan) } : {}),
      args,
      subject,
      form,
      ...(logs ? { logs } : {}),
      deadline: deadline?.toISOString() ?? null,
      ...(expires ? { expires } : {}),
      asked_by: askedBy,
    });
    failpoint("gate.form");
    if (!first) return;
    await writeFiles(house, await requireGate(house, id));
    await (await house.gateOf(kind)).tell?.(house, await requireGate(house, id), "opened");
  });
  return requireGate(house, id);
}

/** A form that lies there without an open gate answers nothing: it is kept elsewhere, and told. */
async function clearPlace(house: House, id: string, opening: Opening & { key: string }): Promise<void> {
  if (await readGate(house, id)) return;
  const place = placeOf(house, id, {
    key: opening.key,
    ...(opening.plan ? { plan: referTo(house, opening.plan) } : {}),
    logs: opening.logs ?? false,
  });
  for (const file of [formFile(place), ...(place.logs ? [logsFile(place)] : [])]) {
    if (!(await readSaved(place, file))) continue;
    const aside = await setAside(place, file);
    if (aside) house.note(`envoy: ${file} belonged to no open gate and answers nothing; it is kept in ${aside}`);
  }
}

/** When a gate that opens now runs out. */
export const deadlineFrom = (ms: number): Date => new Date(now().getTime() + ms);
