// A saved form becomes an answer, or goes back to the person. The gate's lock is held throughout.
import { type FormValues, markAt, readForm } from "../form/index.ts";
import { logsWithoutPlaceholder } from "../form/logs-placeholder.ts";
import { type Change, prepareChanges } from "../stores/changes.ts";
import { type SavedFile, logsFile, readSaved, replaceForm, savedSize } from "../stores/form-files.ts";
import { failpoint } from "../system/failpoint.ts";
import { now } from "../system/clock.ts";
import { decode } from "./decode.ts";
import { describeLogs } from "./describe.ts";
import type { Decision, Gate } from "./gate.ts";
import { type HandedOut, handBack } from "./hand-back.ts";
import type { Answer, GateState } from "./history.ts";
import { type House, placeOf, planOf, record } from "./house.ts";
import { refreshSubject, updateOld } from "./refresh.ts";
import { isLate, resultOf } from "./result.ts";

export type Judgement = HandedOut | { kind: "begun" | "unsettled" | "answered" };

interface Saving {
  saved: SavedFile;
  settled: boolean;
}

export async function judge(house: House, gate: GateState, { saved, settled }: Saving): Promise<Judgement> {
  const declaration = await house.gateOf(gate.opened.kind);
  const { text, foreign } = decode(saved.bytes);
  if (foreign && !settled) return { kind: "unsettled" }; // half a letter of a save that goes on
  const outcome = readForm(gate.form, text, { settled, ...before(gate) });
  if (foreign && outcome.kind === "accepted")
    return handBack(house, gate, {
      saved,
      ...markAt(gate.form, text, { breaches: [{ path: ["done"], message: NOT_UTF8 }], ...before(gate) }),
    });
  const refused = outcome.kind === "refused";
  const updated = outcome.kind === "waiting" || outcome.kind === "unsettled" ? undefined : updateOld(gate, { text, refused });
  if (updated?.marks.length) return handBack(house, gate, { saved, ...updated });
  if (updated) return judgeInstead(house, gate, { saved, text: updated.text });
  switch (outcome.kind) {
    case "waiting":
      return { kind: "begun" };
    case "unsettled":
      return { kind: "unsettled" };
    case "mended":
    case "refused":
      return handBack(house, gate, { saved, text: outcome.text, marks: outcome.marks });
    case "accepted":
      return accept(house, gate, { declaration, saved, text, values: outcome.values });
  }
}

/** The same answer in the lines of the form as it is now. */
async function judgeInstead(house: House, gate: GateState, { saved, text }: { saved: SavedFile; text: string }): Promise<Judgement> {
  const place = placeOf(house, gate.id, gate.opened);
  if (!(await replaceForm(place, { judged: saved.bytes, text }))) return { kind: "saved_again" };
  return judge(house, gate, { saved: { ...saved, bytes: Buffer.from(text) }, settled: true });
}

const NOT_UTF8 =
  "The file was not saved as UTF-8 with usual line ends. It was read like this; if all of it is right, set done: true again and save.";
const before = ({ handedBackTexts }: GateState) => ({ handedBack: handedBackTexts });

interface Accepted {
  declaration: Gate;
  saved: SavedFile;
  text: string;
  values: FormValues;
}

async function accept(house: House, gate: GateState, accepted: Accepted): Promise<Judgement> {
  const refreshed = await refreshSubject(house, gate, accepted);
  if (refreshed?.kind === "judge_again") return judgeInstead(house, refreshed.gate, { saved: accepted.saved, text: refreshed.text });
  if (refreshed) return refreshed;
  const { declaration, text } = accepted;
  const logs = await readLogs(house, gate);
  if (logs === undefined) return refuseLogs(house, gate, accepted);
  const answers = declaration.answers.parse(accepted.values);
  const given = { logs, late: isLate(gate, accepted.saved.savedAt) };
  const broken = (await declaration.check?.(answers, gate.subject, given)) ?? [];
  if (broken.length)
    return handBack(house, gate, { saved: accepted.saved, ...markAt(gate.form, text, { breaches: broken, ...before(gate) }) });

  const decision = declaration.decide(answers, gate.subject, given);
  const answer = await describeAnswer(house, gate, { ...accepted, logs });
  const thoughts = thoughtsIn(accepted.values);
  const changes = allChanges(gate, thoughts, decision);
  const { plan } = gate.opened;
  const context = {
    project: house.project,
    gateId: gate.id,
    key: gate.opened.key,
    at: now(),
    ...(plan ? { plan: planOf(house, plan) } : {}),
  };
  const result = resultOf(gate, decision, { thoughts, at: accepted.saved.savedAt });
  failpoint("gate.answer");
  await record(house, gate, { type: "answered", answer, changes: await prepareChanges(changes, context), result });
  return { kind: "answered" };
}

export const thoughtsIn = ({ thoughts }: FormValues): string => (typeof thoughts === "string" ? thoughts : "");

/** Every gate that belongs to a plan first puts the thoughts into its trail. */
export const allChanges = ({ opened }: GateState, thoughts: string, { changes }: Decision): Change[] => [
  ...(thoughts && opened.plan ? [{ change: "say" as const, concerns: "thoughts", text: thoughts }] : []),
  ...changes,
];

/** Undefined where there are too many: told by the file's size alone where that suffices, so that no paste fills the memory. */
export async function readLogs(house: House, gate: GateState): Promise<string | undefined> {
  if (!gate.opened.logs) return "";
  const limit = mostTokens(house);
  const place = placeOf(house, gate.id, gate.opened);
  const template = describeLogs(gate);
  const { exceedsTokens, mostBytesOf } = await import("../system/tokens.ts");
  if ((await savedSize(logsFile(place))) > mostBytesOf(limit) + Buffer.byteLength(template)) return undefined;
  const saved = await readSaved(place, logsFile(place));
  const logs = saved ? logsWithoutPlaceholder(decode(saved.bytes).text, template) : "";
  return logs !== "" && (await exceedsTokens(logs, limit)) ? undefined : logs;
}

const mostTokens = ({ environment }: House): number => environment.MAX_LOGS_TOKENS ?? 10_000;

function refuseLogs(house: House, gate: GateState, { saved, text }: Accepted): Promise<Judgement> {
  const tooManyTokens = mostTokens(house);
  const message = `The logs in ${gate.opened.key}_logs.md have more than ${tooManyTokens} tokens. Shorten them, then set done: true again and save.`;
  const marked = markAt(gate.form, text, { breaches: [{ path: ["done"], message }], ...before(gate) });
  return handBack(house, gate, { saved, ...marked, tooManyTokens });
}

async function describeAnswer(house: House, gate: GateState, { saved, text, values, logs }: Accepted & { logs: string }): Promise<Answer> {
  const { whoIsHere } = await import("../system/who.ts");
  const filled = gate.filled?.text === text ? gate.filled : undefined;
  const commented = /^\s*#/m.test(text);
  return {
    values,
    saved: text,
    saved_at: saved.savedAt.toISOString(),
    late: isLate(gate, saved.savedAt),
    answered_by: filled?.answered_by ?? "human",
    via: filled ? "envoy answer" : commented ? "editor" : "script",
    ...(logs === "" ? {} : { logs }),
    ...(await whoIsHere(house.project.root)),
  };
}
