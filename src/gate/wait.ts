// Waiting for a person: file events wake a look at the gate, and only a look decides. The waiter is disposable; all it
// knows stands in the gate's record and in the form.
import { watchForm } from "../stores/form-files.ts";
import { now } from "../system/clock.ts";
import { collectGarbageOnce } from "../system/memory.ts";
import { whoIsHere } from "../system/who.ts";
import { forget } from "../system/yaml/last-reading.ts";
import { tell } from "./deliver.ts";
import type { GateState } from "./history.ts";
import { type House, gateStream, placeOf } from "./house.ts";
import { type Look, SETTLE_MS, look } from "./look.ts";
import { registerWaiter } from "./waiters.ts";
import { Wake } from "./wake.ts";

export interface WaitOptions {
  /** The end of this wait, though not of the gate. */
  until?: Date | undefined;
  /** Aborted by a signal to this process. */
  interrupted: AbortSignal;
  /** A form that was handed back ends the wait. */
  failOnInvalid?: boolean;
  heartbeatMs?: number | undefined;
}
type OpenLook = Extract<Look, { state: "open" }>;
export type Waited =
  | { kind: "ended"; gate: GateState }
  | { kind: "pending"; look: OpenLook }
  | { kind: "timeout"; look: OpenLook }
  | { kind: "invalid"; look: OpenLook }
  /** Of pasted logs: the form went back, and the agent is told at once instead of waiting on. */
  | { kind: "too_many_tokens"; look: OpenLook };

/** From the state on that the caller has seen: what was handed back since then is news, however early it happened. */
export async function waitForGate(house: House, seen: GateState, options: WaitOptions): Promise<Waited> {
  const waited = await untilSomething(house, seen, options);
  if (waited.kind === "too_many_tokens") await tell(house, seen.id);
  return waited;
}

async function untilSomething(house: House, { id, timesHandedBack }: GateState, options: WaitOptions): Promise<Waited> {
  const first = settled(await look(house, id), options, { handedBackBefore: timesHandedBack, first: true });
  if (first.over) return first.over;
  return new Waiter(house, id, options).wait(first.look);
}

type Reason = "look" | "slice" | "deadline" | "signal" | "settled" | "heartbeat";

class Waiter {
  readonly #house: House;
  readonly #id: string;
  readonly #options: WaitOptions;
  readonly #wake = new Wake<Reason>();
  #lastSeen: Buffer | undefined;
  #settling: NodeJS.Timeout | undefined;

  constructor(house: House, id: string, options: WaitOptions) {
    this.#house = house;
    this.#id = id;
    this.#options = options;
  }

  async wait(first: OpenLook): Promise<Waited> {
    const { until, interrupted, heartbeatMs } = this.#options;
    const place = placeOf(this.#house, this.#id, first.gate.opened);
    const again = () => this.#wake.wake("look");
    this.#remember(first);
    forget();
    void whoIsHere(this.#house.project.root);
    this.#wake.on(interrupted, "signal");
    if (until) this.#wake.at(until, "slice");
    if (first.gate.deadline) this.#wake.at(first.gate.deadline, "deadline");
    if (heartbeatMs) this.#wake.every(heartbeatMs, "heartbeat");
    const unregister = await registerWaiter(this.#house, this.#id);
    const watches = await Promise.all([
      watchForm(place, again, this.#house.note),
      this.#house.records.watch([gateStream(this.#id)], again),
    ]);
    collectGarbageOnce();
    try {
      return await this.#loop(first);
    } finally {
      clearTimeout(this.#settling);
      this.#wake.close();
      await Promise.all(watches.map((watch) => watch.close()));
      await unregister();
    }
  }

  async #loop(first: OpenLook): Promise<Waited> {
    let last = first;
    for (;;) {
      const reasons = await this.#wake.next();
      if (reasons.has("heartbeat")) this.#house.note(`envoy: still waiting for a person (${this.#id})`);
      if (reasons.size === 1 && reasons.has("heartbeat")) continue;
      const seen = await look(this.#house, this.#id, { lastSeen: this.#lastSeen, settled: reasons.has("settled") });
      const verdict = settled(seen, this.#options, { handedBackBefore: last.gate.timesHandedBack, first: false });
      if (verdict.over) return verdict.over;
      last = verdict.look;
      this.#remember(last);
      if (reasons.has("signal") || reasons.has("slice")) return { kind: "pending", look: last };
      if (isOverdue(last)) return { kind: "timeout", look: last };
    }
  }

  #remember(seen: OpenLook): void {
    this.#lastSeen = seen.bytes ?? this.#lastSeen;
    clearTimeout(this.#settling);
    if (seen.lookAgainMs !== undefined)
      this.#settling = setTimeout(() => this.#wake.wake("settled"), Math.min(seen.lookAgainMs, SETTLE_MS));
  }
}

/** A form in the middle of being saved when the time runs out is waited for: it may have been saved in time. */
const isOverdue = ({ gate, lookAgainMs }: OpenLook): boolean =>
  gate.deadline !== null && now() >= gate.deadline && lookAgainMs === undefined;

function settled(
  seen: Look,
  { failOnInvalid, interrupted, until }: WaitOptions,
  { handedBackBefore, first }: { handedBackBefore: number; first: boolean },
): { over: Waited; look?: never } | { over?: never; look: OpenLook } {
  if (seen.state === "ended") return { over: { kind: "ended", gate: seen.gate } };
  const isNew = seen.gate.timesHandedBack > handedBackBefore;
  if (seen.form === "handed_back" && seen.gate.handedBack?.too_many_tokens !== undefined && (isNew || !seen.gate.told))
    return { over: { kind: "too_many_tokens", look: seen } };
  if (failOnInvalid && seen.form === "handed_back" && (first || isNew)) return { over: { kind: "invalid", look: seen } };
  if (first && (interrupted.aborted || (until && until <= now()))) return { over: { kind: "pending", look: seen } };
  if (first && isOverdue(seen)) return { over: { kind: "timeout", look: seen } };
  return { look: seen };
}
