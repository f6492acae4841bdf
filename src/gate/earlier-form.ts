// The form of an earlier gate lies in the place of an open one: an editor that was still open has saved it there.
import { gatesNamedIn, markAt } from "../form/index.ts";
import { type SavedFile, createFile, formFile, setAside } from "../stores/form-files.ts";
import { decode } from "./decode.ts";
import type { GateState } from "./history.ts";
import { type House, placeOf, record } from "./house.ts";

/** What is told of a form that answers something else; undefined of this gate's own. */
export function earlierForm({ id }: GateState, { bytes }: SavedFile): string | undefined {
  const named = gatesNamedIn(decode(bytes).text);
  return named.includes(id) ? undefined : named.at(-1);
}

/** It is kept elsewhere, and the form of this gate comes back as it was last seen, saying so. */
export async function putEarlierAside(
  house: House,
  gate: GateState,
  { saved, earlier, lastSeen }: { saved: SavedFile; earlier: string; lastSeen: Buffer | undefined },
): Promise<GateState> {
  const place = placeOf(house, gate.id, gate.opened);
  const aside = await setAside(place);
  const own = lastSeen && !earlierForm(gate, { ...saved, bytes: lastSeen }) ? decode(lastSeen).text : undefined;
  const message = `What was saved here was the form of an earlier gate (${earlier}). It answers nothing and is kept in ${aside}. Answer this form.`;
  const base = own ?? gate.handedBack?.text ?? gate.form.written;
  const { text, marks } = markAt(gate.form, base, { breaches: [{ path: ["done"], message }], handedBack: gate.handedBackTexts });
  const handed = await record(house, gate, { type: "handed_back", saved: decode(saved.bytes).text, text, marks });
  await createFile(place, formFile(place), text);
  house.note(`envoy: ${formFile(place)}: ${message}`);
  return handed;
}
