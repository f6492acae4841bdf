import { setDeadline } from "../system/clock.ts";

/** Beyond this, Node's timers fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Something to wait for: calls of `wake` while nobody waits are not lost. */
export class Wake<Reason extends string> {
  #reasons = new Set<Reason>();
  #resolve: ((reasons: Set<Reason>) => void) | undefined;
  readonly #cancels: (() => void)[] = [];

  readonly wake = (reason: Reason): void => {
    this.#reasons.add(reason);
    this.#deliver();
  };

  /** At a time of the wall clock. */
  at(time: Date, reason: Reason): void {
    this.#cancels.push(setDeadline(time, () => this.wake(reason)));
  }

  every(ms: number, reason: Reason): void {
    const timer = setInterval(() => this.wake(reason), Math.min(ms, LONGEST_TIMER_MS));
    this.#cancels.push(() => clearInterval(timer));
  }

  on(signal: AbortSignal, reason: Reason): void {
    const listener = () => this.wake(reason);
    if (signal.aborted) listener();
    signal.addEventListener("abort", listener);
    this.#cancels.push(() => signal.removeEventListener("abort", listener));
  }

  next(): Promise<Set<Reason>> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#deliver();
    });
  }

  close(): void {
    for (const cancel of this.#cancels) cancel();
  }

  #deliver(): void {
    if (!this.#resolve || !this.#reasons.size) return;
    const [resolve, reasons] = [this.#resolve, this.#reasons];
    this.#resolve = undefined;
    this.#reasons = new Set();
    resolve(reasons);
  }
}
