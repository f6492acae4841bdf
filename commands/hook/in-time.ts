import { setDeadline } from "../../src/system/clock.ts";
import type { HookReply } from "../../src/quality/hooks.ts";
import type { Flag, Reply } from "../command.ts";
import { duration } from "../gate-flags.ts";

/** A harness that ends a hook for being slow goes on as if it had agreed, so a hook keeps a limit of its own. */
export const limit = (fallback: string): Flag<number | undefined> =>
  duration(`answer within this time, whatever happens; must be below the harness's own limit; default: ${fallback}`);

/** `late` is the answer when `work` has none by then. */
export async function inTime(limitMs: number, work: Promise<HookReply>, late: () => HookReply): Promise<HookReply> {
  let cancel = (): void => undefined;
  const over = new Promise<HookReply>((resolve) => {
    cancel = setDeadline(new Date(Date.now() + limitMs), () => resolve(late()));
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    cancel();
  }
}

export const hookReply = ({ stdout, stderr, exitCode }: HookReply): Reply => ({ data: {}, raw: { stdout, stderr }, exitCode });

/** An error's own words, for whoever reads the refusal. */
export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
