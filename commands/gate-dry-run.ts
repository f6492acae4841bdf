import { fieldPaths, readForm } from "../src/form/index.ts";
import { decode } from "../src/gate/decode.ts";
import { allChanges, readLogs, thoughtsIn } from "../src/gate/judge.ts";
import { outdated } from "../src/gate/refresh.ts";
import { currentGate } from "../src/gate/open.ts";
import { readSaved } from "../src/stores/form-files.ts";
import { placeOf } from "../src/gate/house.ts";
import type { Reply } from "./command.ts";
import type { Call } from "./gate-command.ts";
import { fileOf } from "./gate-reply.ts";

/** What a finished form would change. Nothing is settled, opened, waited for or written. */
export async function dryRun({ gate, args, plan, asking }: Call): Promise<Reply> {
  const { house } = asking;
  const key = gate.key(args);
  const open = await currentGate(house, key, plan);
  if (!open || open.end) {
    const last = open?.applied?.result;
    const sources = { project: house.project, environment: house.environment, plan, ...(last ? { last } : {}) };
    const loading = await gate.load(sources, args);
    if (!("subject" in loading)) return { data: { gate: key, dry_run: true, ...loading } };
    const fields = fieldPaths({ key, title: [], fields: gate.template(loading.subject) });
    return { data: { gate: key, dry_run: true, summary: "No form is open; this would open one with these fields.", fields } };
  }
  const saved = await readSaved(placeOf(house, open.id, open.opened));
  const text = saved ? decode(saved.bytes).text : open.form.written;
  const outcome = readForm(open.form, text, {
    settled: true,
    handedBack: open.handedBackTexts,
  });
  const about = { gate: key, gate_id: open.id, dry_run: true, file: fileOf(house, open) };
  if (outcome.kind !== "accepted") {
    const issues = "marks" in outcome ? outcome.marks : [];
    return { data: { ...about, summary: issues.length ? "The form would be handed back." : "The form is not finished.", issues } };
  }
  const logs = await readLogs(house, open);
  if (logs === undefined) return { data: { ...about, summary: "The form would be handed back: there are too many logs." } };
  const given = { logs, late: false };
  const answers = gate.answers.parse(outcome.values);
  const breaches = [...(await outdated(house, open, text)), ...((await gate.check?.(answers, open.subject, given)) ?? [])];
  const issues = breaches.map(({ path, message }) => ({ path: path.join("."), message }));
  if (issues.length) return { data: { ...about, summary: "The form would be handed back.", issues } };
  const decision = gate.decide(answers, open.subject, given);
  const { result, proceed, summary, next } = decision;
  const changes = allChanges(open, thoughtsIn(outcome.values), decision);
  return { data: { ...about, changes, result: { ...result, proceed, summary, next } } };
}
