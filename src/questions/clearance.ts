// Waiting until nothing halts an agent any more. Records and forms wake a look; only a look decides.
import { inOrder } from "../system/in-order.ts";
import { join } from "node:path";
import type { House } from "../gate/house.ts";
import { Wake } from "../gate/wake.ts";
import { watchFolder } from "../stores/form-files.ts";
import { type HaltReason, type Who, haltReasons } from "./halts.ts";
import { readHalt } from "./halting.ts";
import { liveQuestions, readQuestion, readState } from "./state.ts";
import { settleQuestions } from "./settle.ts";

export interface Clearance {
  cleared: boolean;
  /** Left out where nothing halted the agent in the first place. */
  reason?: "answered" | "resumed" | "timeout" | "cancelled";
  answer?: unknown;
}

interface Waiting {
  until?: Date | undefined;
  interrupted?: AbortSignal;
  /** Why it is halted, where the caller has just looked. */
  halted?: HaltReason[];
}

export async function waitForClearance(house: House, who: Who, { until, interrupted, halted }: Waiting): Promise<Clearance> {
  let reasons = halted ?? (await reasonsNow(house, who));
  if (!reasons.length) return { cleared: true };
  const wake = new Wake<"look" | "end">();
  if (until) wake.at(until, "end");
  if (interrupted) wake.on(interrupted, "end");
  const close = await watchState(house, () => wake.wake("look"));
  try {
    for (;;) {
      await wakeAtExpiries(house, wake);
      const woken = await wake.next();
      const left = await reasonsNow(house, who);
      if (!left.length) return { cleared: true, ...(await howItEnded(house, reasons)) };
      reasons = left;
      if (woken.has("end")) return { cleared: false, reason: "timeout" };
    }
  } finally {
    wake.close();
    await close();
  }
}

async function reasonsNow(house: House, who: Who): Promise<HaltReason[]> {
  await settleQuestions(house);
  return haltReasons(await readState(house), who);
}

/** A deferred question sets free when its time is over, which no file tells. */
async function wakeAtExpiries(house: House, wake: Wake<"look" | "end">): Promise<void> {
  const open = (await liveQuestions(house)).filter(({ status, expires_at }) => status === "open" && expires_at !== null);
  const [next] = open.map(({ expires_at }) => Date.parse(expires_at!)).sort((a, b) => a - b);
  if (next !== undefined) wake.at(new Date(next), "look");
}

/** Calls back whenever who is halted may have changed. */
export async function watchState(house: House, look: () => void): Promise<() => Promise<void>> {
  const watches = await Promise.all([
    house.records.watch([{ kind: "question" }, { kind: "halt" }], look, house.note),
    watchFolder(join(house.project.directory, "user_feedback"), look, house.note),
  ]);
  return async () => void (await Promise.all(watches.map((watch) => watch.close())));
}

/** The end of what was the last to go. */
async function howItEnded(house: House, gone: readonly HaltReason[]): Promise<Omit<Clearance, "cleared">> {
  const ends = await Promise.all(gone.map((reason) => endOf(house, reason)));
  const { at: _at, ...last } = ends.toSorted((a, b) => inOrder(a.at, b.at)).at(-1)!;
  return last;
}

async function endOf(house: House, { halt_id, question_id }: HaltReason): Promise<Omit<Clearance, "cleared"> & { at: string }> {
  if (halt_id !== undefined) {
    const { at, answer } = (await readHalt(house, halt_id))?.resumed ?? { at: "" };
    return { at, reason: "resumed", ...(answer === undefined ? {} : { answer }) };
  }
  const { status, answer, answered_at, withdrawn_at, expires_at } = (await readQuestion(house, question_id!))!;
  if (status === "answered") return { at: answered_at!, reason: "answered", answer };
  if (status === "withdrawn") return { at: withdrawn_at!, reason: "cancelled" };
  return { at: expires_at ?? "", reason: "resumed" };
}
