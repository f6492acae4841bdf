// One look at a gate, without waiting: is it answered, and if the form says so, is the answer good?
import { EnvoyError } from "../../schemas/errors.ts";
import type { Mark } from "../form/index.ts";
import { type SavedFile, createFile, formFile, isWithoutLogsFile, logsFile, putBack, readSaved } from "../stores/form-files.ts";
import { now } from "../system/clock.ts";
import { failpoint } from "../system/failpoint.ts";
import { decode } from "./decode.ts";
import { finish } from "./finish.ts";
import type { GateState } from "./history.ts";
import { isExpiring } from "./needs-look.ts";
import { notAForm, putAside } from "./put-aside.ts";
import { type House, lockGate, placeOf, record, requireGate } from "./house.ts";

export type FormState = "untouched" | "begun" | "handed_back";
export type Look =
  | { state: "open"; gate: GateState; form: FormState; marks: readonly Mark[]; lookAgainMs?: number; bytes: Buffer }
  | { state: "ended"; gate: GateState };

export interface LookOptions {
  /** The last content that this process saw, for a form that was deleted. */
  lastSeen?: Buffer | undefined;
  /** The file has been the same for long enough, whatever the clock says. */
  settled?: boolean;
}

/** A save is complete when nothing has changed for this long. */
export const SETTLE_MS = 2000;

export async function look(house: House, id: string, options: LookOptions = {}): Promise<Look> {
  const gate = await requireGate(house, id);
  if (gate.end) return { state: "ended", gate: await finish(house, id) };
  const place = placeOf(house, id, gate.opened);
  const saved = await readSaved(place);
  if (saved && isKnown(gate, saved) && !isExpiring(gate) && !isWithoutLogsFile(place)) return open(gate, saved);
  return lockGate(house, id, async () => {
    const current = await requireGate(house, id);
    if (current.end) return { state: "ended", gate: await finish(house, id, { locked: true }) };
    const seen = await judgeSaved(house, current, options);
    return seen.state === "open" && isExpiring(seen.gate) && seen.lookAgainMs === undefined ? expire(house, seen.gate, seen) : seen;
  });
}

const isKnown = (gate: GateState, { bytes }: SavedFile): boolean =>
  equals(bytes, gate.form.written) || equals(bytes, gate.handedBack?.text);
const equals = (bytes: Buffer, text: string | undefined): boolean => text !== undefined && bytes.equals(Buffer.from(text));

function open(gate: GateState, saved: Pick<SavedFile, "bytes">): Extract<Look, { state: "open" }> {
  const handedBack = equals(saved.bytes, gate.handedBack?.text);
  const form = handedBack ? "handed_back" : equals(saved.bytes, gate.form.written) ? "untouched" : "begun";
  return { state: "open", gate, form, marks: handedBack ? gate.handedBack!.marks : [], bytes: saved.bytes };
}

/** Only after the form was judged: one that was saved in time is an answer, whenever it is noticed. */
async function expire(house: House, gate: GateState, seen: Extract<Look, { state: "open" }>): Promise<Look> {
  const declaration = await house.gateOf(gate.opened.kind);
  const saved = await readSaved(placeOf(house, gate.id, gate.opened));
  const fact = declaration.expire?.(gate, saved ? decode(saved.bytes).text : "");
  if (!fact) return seen;
  failpoint("gate.expire");
  const expired = await record(house, gate, fact);
  if (expired.end) return { state: "ended", gate: await finish(house, gate.id, { locked: true }) };
  await declaration.tell?.(house, expired, "expired");
  return { ...seen, gate: expired };
}

async function judgeSaved(house: House, gate: GateState, options: LookOptions): Promise<Look> {
  const place = placeOf(house, gate.id, gate.opened);
  const saved = (await readSaved(place)) ?? (await restore(house, gate, options.lastSeen));
  if (isWithoutLogsFile(place)) await restoreLogs(house, gate);
  if (isKnown(gate, saved)) return open(gate, saved);
  const why = notAForm(gate, saved);
  if (why) return judgeSaved(house, await putAside(house, gate, { why, lastSeen: options.lastSeen }), options);
  const age = now().getTime() - saved.savedAt.getTime();
  const { judge } = await import("./judge.ts");
  const outcome = await judge(house, gate, { saved, settled: options.settled === true || age >= SETTLE_MS });
  switch (outcome.kind) {
    case "begun":
      return open(gate, saved);
    case "unsettled":
      return { ...open(gate, saved), lookAgainMs: Math.min(SETTLE_MS, Math.max(50, SETTLE_MS - age + 10)) };
    case "saved_again":
      return judgeSaved(house, await requireGate(house, gate.id), options);
    case "handed_back":
      return open(outcome.gate, { bytes: Buffer.from(outcome.gate.handedBack!.text) });
    case "answered":
      return { state: "ended", gate: await finish(house, gate.id, { locked: true, first: true }) };
  }
}

/** A form that was deleted comes back as it was last seen; only `envoy withdraw` ends a gate. */
async function restore(house: House, gate: GateState, lastSeen: Buffer | undefined): Promise<SavedFile> {
  const place = placeOf(house, gate.id, gate.opened);
  if (!(await putBack(place))) {
    await createFile(place, formFile(place), lastSeen ?? gate.handedBack?.text ?? gate.form.written);
    house.note(`envoy: the form was gone and is back: ${formFile(place)} (to end the gate: envoy withdraw ${gate.id})`);
  }
  const saved = await readSaved(place);
  if (!saved) throw new EnvoyError("io_failed", { path: formFile(place), code: "ENOENT", action: "keep" });
  return saved;
}

/** The form as it begins, and the file for logs beside it. */
export async function writeFiles(house: House, gate: GateState): Promise<void> {
  const place = placeOf(house, gate.id, gate.opened);
  await createFile(place, formFile(place), gate.form.written);
  if (gate.opened.logs) await restoreLogs(house, gate);
}

async function restoreLogs(house: House, gate: GateState): Promise<void> {
  const { describeLogs } = await import("./describe.ts");
  const place = placeOf(house, gate.id, gate.opened);
  await createFile(place, logsFile(place), describeLogs(gate));
}
