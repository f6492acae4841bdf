// What lies in the place of an open gate's form and cannot be judged goes elsewhere, and the form comes back saying so.
import { gatesNamedIn, markAt } from "../form/index.ts";
import { type SavedFile, createFile, formFile, setAside } from "../stores/form-files.ts";
import { decode } from "./decode.ts";
import type { GateState } from "./history.ts";
import { type House, placeOf, record } from "./house.ts";

/** Beyond this a form is not even taken into the record. */
const LARGEST_BYTES = 16 * 1024 * 1024;

/** What it is, in words that go on with where it is kept; undefined where it can be judged. */
export function notAForm({ id }: GateState, { bytes }: Pick<SavedFile, "bytes">): string | undefined {
  if (bytes.length > LARGEST_BYTES) return `is larger than ${LARGEST_BYTES} bytes`;
  const named = gatesNamedIn(decode(bytes).text);
  return named.length && !named.includes(id) ? `was the form of an earlier gate (${named.at(-1)})` : undefined;
}

/** The form as this process last saw it, or else as envoy last wrote it. */
export async function putAside(
  house: House,
  gate: GateState,
  { why, lastSeen }: { why: string; lastSeen: Buffer | undefined },
): Promise<GateState> {
  const place = placeOf(house, gate.id, gate.opened);
  const aside = await setAside(place);
  const message = `What was saved here ${why}. It answers nothing and is kept in ${aside}. Answer this form.`;
  const own = lastSeen && !notAForm(gate, { bytes: lastSeen }) ? decode(lastSeen).text : undefined;
  const base = own ?? gate.handedBack?.text ?? gate.form.written;
  const { text, marks } = markAt(gate.form, base, { breaches: [{ path: ["done"], message }], handedBack: gate.handedBackTexts });
  const handed = await record(house, gate, { type: "handed_back", saved: "", text, marks });
  await createFile(place, formFile(place), text);
  house.note(`envoy: ${formFile(place)}: ${message}`);
  return handed;
}
