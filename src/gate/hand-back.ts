import type { Mark } from "../form/index.ts";
import { type SavedFile, formFile, replaceForm } from "../stores/form-files.ts";
import { failpoint } from "../system/failpoint.ts";
import { decode } from "./decode.ts";
import type { GateState, HandedBack } from "./history.ts";
import { type House, placeOf, record } from "./house.ts";

/** `saved_again`: the person was faster, and their newer save is to be judged instead. */
export type HandedOut = { kind: "handed_back"; gate: GateState } | { kind: "saved_again" };

/** To the last byte, whatever an editor has made of them. */
const asSaved = (bytes: Buffer): Pick<HandedBack, "saved" | "saved_base64"> => {
  const { text } = decode(bytes);
  return { saved: text, ...(bytes.equals(Buffer.from(text)) ? {} : { saved_base64: bytes.toString("base64") }) };
};

/** The bytes as saved go into the record before anything is written over them. */
export async function handBack(
  house: House,
  gate: GateState,
  { saved, text, marks, tooManyTokens }: { saved: SavedFile; text: string; marks: Mark[]; tooManyTokens?: number },
): Promise<HandedOut> {
  failpoint("gate.hand-back");
  const handed = await record(house, gate, {
    type: "handed_back",
    ...asSaved(saved.bytes),
    text,
    marks,
    ...(tooManyTokens === undefined ? {} : { too_many_tokens: tooManyTokens }),
  });
  const place = placeOf(house, gate.id, gate.opened);
  if (!(await replaceForm(place, { judged: saved.bytes, text }))) return { kind: "saved_again" };
  const where = (mark: Mark) => `${formFile(place)}:${mark.line}:${mark.column}: ${mark.message}`;
  house.note(`envoy: the form was handed back; set done: true again once it is right.\n${marks.map(where).join("\n")}`);
  return { kind: "handed_back", gate: handed };
}
