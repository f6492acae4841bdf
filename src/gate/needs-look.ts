import { formHoldsOneOf, isWithoutLogsFile } from "../stores/form-files.ts";
import { now } from "../system/clock.ts";
import type { GateState } from "./history.ts";
import { type House, placeOf } from "./house.ts";

/** Whether a look could find more than the record tells. Cheap: nothing is locked, judged or loaded for a form that nobody has touched. */
export function needsLook(house: House, gate: GateState): boolean {
  if (gate.end || isExpiring(gate)) return true;
  const known = [gate.form.written, ...(gate.handedBack ? [gate.handedBack.text] : [])];
  const place = placeOf(house, gate.id, gate.opened);
  return isWithoutLogsFile(place) || !formHoldsOneOf(place, known);
}

export const isExpiring = ({ opened, expired, deadline }: GateState): boolean =>
  opened.expires === true && !expired && deadline !== null && deadline <= now();
