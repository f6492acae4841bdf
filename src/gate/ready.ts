// Loading what a gate asks about, and waiting until it can be asked.
import { watchPrompts } from "../stores/prompts.ts";
import type { Plan } from "../stores/plans.ts";
import { EnvoyError } from "../../schemas/errors.ts";
import type { Gate, Loading } from "./gate.ts";
import type { House } from "./house.ts";
import { awaitedUntil, currentGate } from "./open.ts";
import { Wake } from "./wake.ts";

interface Asked {
  gate: Gate;
  args: unknown;
  plan: Plan;
  until?: Date | undefined;
  interrupted: AbortSignal;
  /** `anew`: asked for by this caller, whatever was recorded. */
  period: { periodMs: number; anew: boolean };
  /** The command that goes on waiting. */
  resume: string;
}

type Loaded = Exclude<Loading<unknown>, { waitFor: string[] }>;

export async function loadNow(house: House, { gate, args, plan }: Pick<Asked, "gate" | "args" | "plan">): Promise<Loading<unknown>> {
  const last = (await currentGate(house, gate.key(args), plan))?.applied?.result;
  return gate.load({ project: house.project, environment: house.environment, plan, ...(last ? { last } : {}) }, args);
}

/** Events on the prompts wake a new look; `pending` names what is missing when this wait ends first. */
export async function loadWhenReady(house: House, asked: Asked): Promise<Loaded | { pending: string[]; until: Date }> {
  const { gate, args, plan } = asked;
  const first = await loadNow(house, asked);
  if (!("waitFor" in first)) return first;
  const until = await awaitedUntil(house, { key: gate.key(args), plan }, asked.period);
  const missing = first.waitFor.map((each) => `\n  waits for: ${each}`).join("");
  house.note(`envoy: not ready to ask yet, and no form is open so far.${missing}\n  resume: ${asked.resume}`);
  const wake = new Wake<"look" | "end" | "deadline">();
  wake.on(asked.interrupted, "end");
  if (asked.until) wake.at(asked.until, "end");
  wake.at(until, "deadline");
  const watch = await watchPrompts(plan, () => wake.wake("look"), house.note);
  try {
    for (;;) {
      const reasons = await wake.next();
      const loading = await loadNow(house, asked);
      if (!("waitFor" in loading)) return loading;
      if (reasons.has("end")) return { pending: loading.waitFor, until };
      if (reasons.has("deadline")) throw new EnvoyError("not_ready", { gate: gate.key(args), missing: loading.waitFor });
    }
  } finally {
    wake.close();
    await watch.close();
  }
}
