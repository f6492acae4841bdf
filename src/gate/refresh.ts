// An answer counts for what was shown: subjects that came, went or were rewritten while the form lay open.
import { isDeepStrictEqual } from "node:util";
import { EnvoyError } from "../../schemas/errors.ts";
import { type FormDescription, type Mark, type RuleBreach, type WrittenForm, markAt, mergeForm, readForm } from "../form/index.ts";
import { type SavedFile, formFile, readSaved, replaceForm } from "../stores/form-files.ts";
import { failpoint } from "../system/failpoint.ts";
import { decode } from "./decode.ts";
import type { GateState } from "./history.ts";
import { type House, placeOf, planOf, record } from "./house.ts";
import { type HandedOut, handBack } from "./hand-back.ts";

/** Subjects, and the form that asks about them. */
interface Current {
  subject: unknown;
  form: FormDescription;
}

/** The subjects as they are now; undefined where they can no longer be asked about, so that what was shown counts. */
async function loadAgain(house: House, gate: GateState): Promise<Current | undefined> {
  const { kind, plan, args } = gate.opened;
  const declaration = await house.gateOf(kind);
  if (!plan || !declaration.load) return undefined;
  try {
    const sources = { project: house.project, environment: house.environment, plan: planOf(house, plan), shown: gate.subject };
    const loading = await declaration.load(sources, args);
    if (!("subject" in loading)) return undefined;
    return { subject: loading.subject, form: { ...gate.form.description, fields: declaration.template(loading.subject) } };
  } catch (error) {
    if (error instanceof EnvoyError && error.exitCode === 3) return undefined;
    throw error;
  }
}

/** A finished form whose subjects have changed goes back with what is new; undefined: it counts as it is. */
export async function refreshSubject(
  house: House,
  gate: GateState,
  { saved, text }: { saved: SavedFile; text: string },
): Promise<HandedOut | { kind: "judge_again"; gate: GateState; text: string } | undefined> {
  const merged = await mergeNow(house, gate, { text });
  if (!merged) return undefined;
  const breaches = breachesOf(merged);
  if (!breaches.length) {
    // Entries are only gone: the rest of the answer is complete, so it is judged without them.
    const now = await record(house, gate, { type: "reformed", subject: merged.subject, form: merged.form });
    if (readForm(merged.form, merged.text, { settled: true }).kind !== "accepted") return publish(house, now, { saved, text: merged.text });
    return { kind: "judge_again", gate: now, text: merged.text };
  }
  failpoint("gate.reform");
  const reformed = await record(house, gate, { type: "reformed", subject: merged.subject, form: merged.form });
  return handBack(house, reformed, { saved, ...markAt(merged.form, merged.text, { breaches }) });
}

/**
 * An editor that was opened before the form changed has written its text back, or the process died before it had
 * changed the form. Without marks: some of what it asked is gone, the rest is to be judged.
 */
export function updateOld(
  { id, form, formerForms, handedBackTexts: handedBack }: GateState,
  { text, refused }: { text: string; refused: boolean },
): { text: string; marks: Mark[] } | undefined {
  const fits = (each: WrittenForm) => refused && readForm(each, text, { settled: true, handedBack }).kind === "accepted";
  const former = formerForms.findLast((each) => shows(text, each, form) || fits(each));
  const merged = former && mergeForm(former, text, { next: form.description, gateId: id, handedBack });
  if (!merged || merged.text === text) return undefined;
  const breaches = breachesOf(merged);
  return breaches.length ? markAt(form, merged.text, { breaches, handedBack }) : { text: merged.text, marks: [] };
}

/** Whether a text tells what only the former form told, or nothing of what only the current one tells. */
function shows(text: string, former: WrittenForm, current: WrittenForm): boolean {
  const [saved, before, after] = [text, former.written, current.written].map(commentsOf) as [Set<string>, Set<string>, Set<string>];
  const fresh = [...after].filter((line) => !before.has(line));
  if ([...before].some((line) => !after.has(line) && saved.has(line))) return true;
  return saved.size > 0 && fresh.length > 0 && !fresh.some((line) => saved.has(line));
}

const commentsOf = (text: string): Set<string> =>
  new Set(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line.startsWith("#")),
  );

/** On attach: the person's text stays, entries that have come or gone do so in the form too. */
export async function refreshForm(house: House, gate: GateState, current?: Current): Promise<GateState> {
  const place = placeOf(house, gate.id, gate.opened);
  const saved = await readSaved(place);
  if (!saved) return gate;
  const merged = await mergeNow(house, gate, { text: decode(saved.bytes).text, ...(current ? { current } : {}) });
  if (!merged) return gate;
  failpoint("gate.reform");
  const reformed = await record(house, gate, { type: "reformed", subject: merged.subject, form: merged.form });
  if (merged.changed.length) {
    const handed = await handBack(house, reformed, {
      saved,
      ...markAt(merged.form, merged.text, { breaches: merged.changed.map(isRewritten) }),
    });
    return "gate" in handed ? handed.gate : reformed;
  }
  if (await replaceForm(place, { judged: saved.bytes, text: merged.text })) {
    house.note(`envoy: the form was brought up to date (${told(merged)}): ${formFile(place)}`);
  }
  return reformed;
}

interface Merged {
  subject: unknown;
  form: WrittenForm;
  text: string;
  added: string[];
  changed: string[];
  dropped: string[];
  kept: string[];
}

async function mergeNow(house: House, gate: GateState, at: { text: string; current?: Current }): Promise<Merged | undefined> {
  const { text, current = await loadAgain(house, gate) } = at;
  if (!current || isDeepStrictEqual(current.form.fields, gate.form.description.fields)) return undefined;
  const merged = mergeForm(gate.form, text, { next: current.form, gateId: gate.id, handedBack: gate.handedBackTexts });
  if (!merged || merged.form.written === gate.form.written) return undefined; // only what is gone for good still differs
  return { ...merged, subject: current.subject };
}

const GONE = "Something this form asked about is gone. Look again, then set done: true and save.";
const publish = (house: House, gate: GateState, { saved, text }: { saved: SavedFile; text: string }): Promise<HandedOut> =>
  handBack(house, gate, { saved, ...markAt(gate.form, text, { breaches: [{ path: ["done"], message: GONE }] }) });

const breachesOf = ({ added, changed }: Pick<Merged, "added" | "changed">): RuleBreach[] => [
  ...added.map(isNew),
  ...changed.map(isRewritten),
];

/** Why a finished form would go back to the person, though its answers are in order. */
export async function outdated(house: House, gate: GateState, text: string): Promise<RuleBreach[]> {
  const merged = await mergeNow(house, gate, { text });
  return merged ? breachesOf(merged) : [];
}

const isNew = (path: string): RuleBreach => ({
  path: [path],
  message: "This came in after the form was opened. Answer it too, then set done: true again.",
});
const isRewritten = (path: string): RuleBreach => ({
  path: [path],
  message: "The agent has rewritten this since the form was opened. See whether your answer still holds, then set done: true again.",
});
const told = ({ added, dropped, kept }: Merged) =>
  [
    added.length ? `new: ${added.join(", ")}` : "",
    dropped.length ? `gone: ${dropped.join(", ")}` : "",
    kept.length ? `gone, your text is kept: ${kept.join(", ")}` : "",
  ]
    .filter(Boolean)
    .join("; ");
