// user_input.md: everything people said, in order, append-only. An entry is a heading, an id in an HTML comment, and
// the text between fences longer than any run of backticks in it: no typed text can end its block or begin another.
import { appendToFile, finishAppend, lastByte } from "../system/append-file.ts";
import { readFileSafe } from "../system/atomic-file.ts";
import { visibleLine } from "../system/visible-text.ts";
import { lockPlan } from "./plan-lock.ts";
import { type Plan, isTrailUnfinished, trailOf } from "./plans.ts";

export interface UserInputEntry {
  /** Never written twice. */
  id: string;
  at: Date;
  /** Which gate or command, and what it concerns. */
  source: string;
  text: string;
}

/** Larger than any trail a team will have, and what one read into memory still bears. */
const MAX_BYTES = 1024 * 1024 * 1024;

/** All of it; empty where nobody has said anything. */
export async function readUserInput(plan: Plan): Promise<string> {
  await finishTrail(plan);
  return (await readFileSafe(plan.directory, trailOf(plan), { maxBytes: MAX_BYTES }))?.toString("utf8") ?? "";
}

/** What a killed process was about to add comes in now. */
export async function finishTrail(plan: Plan): Promise<void> {
  if (isTrailUnfinished(plan)) await lockPlan(plan, () => finishAppend(trailOf(plan)));
}

/** Adds those entries that do not stand there yet, all at once. Entries known to be `fresh` are not looked for. */
export async function appendUserInputs(plan: Plan, entries: readonly UserInputEntry[], { fresh = false } = {}): Promise<void> {
  await lockPlan(plan, async (lock) => {
    const file = trailOf(plan);
    await finishAppend(file);
    const missing = fresh ? entries : await notYetThere(plan, file, entries);
    if (!missing.length) return;
    const last = await lastByte(file);
    const texts = missing.map((entry, i) => renderEntry(entry, i ? 10 : last));
    await lock.assertHeld();
    await appendToFile(file, texts.join(""));
  });
}

async function notYetThere(plan: Plan, file: string, entries: readonly UserInputEntry[]): Promise<readonly UserInputEntry[]> {
  const bytes = await readFileSafe(plan.directory, file, { maxBytes: MAX_BYTES });
  return entries.filter(({ id }) => !bytes?.includes(idLine(id)) || !hasEntry(bytes.toString("utf8"), id));
}

const idLine = (id: string) => `<!-- entry ${id} -->`;

function renderEntry({ id, at, source, text }: UserInputEntry, lastByte: number | undefined): string {
  const fence = "`".repeat(Math.max(3, 1 + longestRun(text)));
  const lead = lastByte === undefined ? "" : lastByte === 10 ? "\n" : "\n\n";
  return `${lead}## ${at.toISOString()} · ${visibleLine(source)}\n${idLine(id)}\n\n${fence}text\n${text}\n${fence}\n`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** An id counts only outside the fences: inside, it is something a person typed. */
function hasEntry(trail: string, id: string): boolean {
  let fence: string | undefined;
  for (const line of trail.split(/\r?\n/)) {
    const ticks = /^(`{3,})(text)?$/.exec(line);
    if (fence === undefined && ticks?.[2]) fence = ticks[1];
    else if (fence !== undefined && line === fence) fence = undefined;
    else if (fence === undefined && line === idLine(id)) return true;
  }
  return false;
}
