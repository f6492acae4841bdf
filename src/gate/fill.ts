// The scripted way to fill in a form: into the same file that a person would edit, and judged in the same way.
import { EnvoyError } from "../../schemas/errors.ts";
import { type SetOutcome, setFields } from "../form/index.ts";
import { formFile, readSaved, replaceForm } from "../stores/form-files.ts";
import { decode } from "./decode.ts";
import type { GateState } from "./history.ts";
import { type House, lockGate, placeOf, record, requireGate } from "./house.ts";

export interface Filling {
  sets: { path: string; value: string }[];
  done: boolean;
  answeredBy: string;
}

/** All or nothing. Repeated where a person saves at the same moment, so that both are kept. */
export async function fillForm(house: House, id: string, filling: Filling): Promise<void> {
  while (!(await lockGate(house, id, () => fillOnce(house, id, filling))));
}

async function fillOnce(house: House, id: string, { sets, done, answeredBy }: Filling): Promise<boolean> {
  const gate = await requireGate(house, id);
  if (gate.end) throw new EnvoyError("gate_ended", { gate: gate.opened.key, gate_id: id, how: gate.end.type });
  const place = placeOf(house, id, gate.opened);
  const saved = await readSaved(place);
  if (!saved) throw new EnvoyError("io_failed", { path: formFile(place), code: "ENOENT", action: "read" });
  const filled = setFields(gate.form, decode(saved.bytes).text, { sets, ...(done ? { done } : {}), handedBack: gate.handedBackTexts });
  if (!filled.ok) throw refused(gate, filled, formFile(place));
  await record(house, gate, { type: "filled", text: filled.text, answered_by: answeredBy });
  return replaceForm(place, { judged: saved.bytes, text: filled.text });
}

function refused(gate: GateState, { wrong, problems }: Extract<SetOutcome, { ok: false }>, file: string): EnvoyError {
  const issues = problems.map(({ path, message }) => ({ ...(path ? { path } : {}), message }));
  if (wrong === "form") return new EnvoyError("invalid_file", { file, issues });
  if (wrong === "value") return new EnvoyError("invalid_input", { source: "--set", issues });
  return new EnvoyError("unknown_field", { gate: gate.opened.key, issues });
}
