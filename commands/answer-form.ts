// Answering a form: single fields from a script, or the form itself in a person's editor; then one look says what came of it.
import { EnvoyError } from "../schemas/errors.ts";
import { fillForm } from "../src/gate/fill.ts";
import type { GateState } from "../src/gate/history.ts";
import { type House, placeOf, requireGate } from "../src/gate/house.ts";
import { type Look, look } from "../src/gate/look.ts";
import { logsFile, readSaved } from "../src/stores/form-files.ts";
import type { AnswerInput } from "./answer-question.ts";
import type { Context, Reply } from "./command.ts";
import { fileOf, logsTooLarge } from "./gate-reply.ts";

export async function fillIn(house: House, id: string, input: AnswerInput): Promise<Reply> {
  if (input.text !== undefined || input.choice.length || input.template !== undefined)
    throw new EnvoyError("missing_argument", {
      name: "--set path=value",
      command: "answer",
      rule: `a field for what is answered, since this is a form of several; \`envoy show ${id}\` lists them`,
    });
  await look(house, id); // an answer that is there already comes first, and a form that is gone comes back
  await fillForm(house, id, { sets: input.set, done: input.done, answeredBy: input["answered-by"] ?? "human" });
  const { about, seen } = told(house, await look(house, id));
  if (seen.state === "ended") return { data: { ...about, file: undefined, accepted: true, summary: seen.gate.applied?.result?.summary } };
  return { data: { ...about, accepted: false, form: seen.form, next: "Set the rest, then add --done." } };
}

export async function editIn(house: House, id: string, { input, context }: { input: AnswerInput; context: Context }): Promise<Reply> {
  refuseOtherWays(input);
  const before = await look(house, id); // as above
  if (before.state === "ended") throw gateEnded(before.gate);
  const logs = before.gate.opened.logs ? ` Logs go into ${logsFile(placeOf(house, id, before.gate.opened))}.` : "";
  context.note(`envoy: the editor opens ${fileOf(house, before.gate)}; set done: true at the end of it when finished.${logs}`);
  const { editFile } = await import("../src/system/editor.ts");
  await editFile(fileOf(house, before.gate), context.environment);

  const again = `envoy answer ${id} --edit`;
  const { timesHandedBack } = await requireGate(house, id);
  const came = await look(house, id, { settled: true }); // the editor is closed: nothing more will be written
  if (came.state === "open" && came.gate.timesHandedBack === timesHandedBack) context.note(marksOf(house, came)); // not by this look
  const { about, seen } = told(house, came, again);
  if (seen.state === "open") {
    const next = `Nothing is decided yet. When finished, set done: true at the end of the form and save it; ${again} opens it again.`;
    return { data: { ...about, accepted: false, form: seen.form, next } };
  }
  await refuseLate(house, seen.gate, context);
  const result = seen.gate.applied?.result;
  return { data: { ...about, file: undefined, accepted: true, summary: result?.summary, result } };
}

/** What is given in another way would have to be merged with what the person types. */
function refuseOtherWays({ text, choice, set, template, done, "answered-by": who }: AnswerInput): void {
  if (text !== undefined || choice.length || set.length || template !== undefined || done || who !== undefined)
    throw new EnvoyError("conflicting_flags", { flags: "A form's --edit and a text, a value, --done or --answered-by", command: "answer" });
}

/** Throws where the form came back; `again` is the command that opens it for correction. */
function told(house: House, seen: Look, again?: string): { about: object; seen: Look } {
  const { gate } = seen;
  const about = { gate_id: gate.id, gate: gate.opened.key, file: fileOf(house, gate) };
  if (seen.state === "ended" || seen.form !== "handed_back") return { about, seen };
  const { file } = about;
  const issues = seen.marks.map((mark) => ({ file, ...mark }));
  throw logsTooLarge(house, gate) ?? new EnvoyError("invalid_feedback", { file, gate_id: gate.id, issues, ...(again ? { again } : {}) });
}

const marksOf = (house: House, { gate, marks }: Extract<Look, { state: "open" }>): string =>
  [
    "envoy: the form is not finished.",
    ...marks.map(({ line, column, message }) => `${fileOf(house, gate)}:${line}:${column}: ${message}`),
  ].join("\n");

/** While the editor was open the gate may have been withdrawn, or answered by somebody else; what was saved since answers nothing. */
async function refuseLate(house: House, gate: GateState, { note }: Context): Promise<void> {
  const saved = await readSaved(placeOf(house, gate.id, gate.opened));
  const isOwn = saved?.bytes.includes(gate.id) === true;
  if (isOwn) note(`envoy: what you saved came too late and changes nothing; it lies in ${fileOf(house, gate)}`);
  if (isOwn || gate.end?.type !== "answered") throw gateEnded(gate);
}

const gateEnded = ({ id, opened, end }: GateState) => new EnvoyError("gate_ended", { gate: opened.key, gate_id: id, how: end!.type });
