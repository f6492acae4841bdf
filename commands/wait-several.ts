// Waiting for several gates or questions at once: each has its own result, told in the order in which they were named.
import { EXIT, EnvoyError } from "../schemas/errors.ts";
import type { GateState } from "../src/gate/history.ts";
import { waitForGate } from "../src/gate/wait.ts";
import type { Reply } from "./command.ts";
import { waitOptions } from "./gate-command.ts";
import { type Asking, replyTo } from "./gate-reply.ts";

interface One {
  id: string;
  status: "success" | "pending" | "error";
  exitCode: number;
  told: object;
  delivered?: (() => Promise<void>) | undefined;
}

/** With `any`, the first end is the end of this wait; the others are told as they stand. */
export async function waitForSeveral(gates: readonly GateState[], asking: Asking, { any }: { any: boolean }): Promise<Reply> {
  const first = new AbortController();
  const options = waitOptions(asking.context, asking.flags);
  const interrupted = AbortSignal.any([options.interrupted, first.signal]);
  const results = await Promise.all(
    gates.map(async (gate) => {
      const { id } = gate;
      const waited = await waitForGate(asking.house, gate, { ...options, interrupted });
      if (any && waited.kind !== "pending") first.abort();
      return tell(id, () => replyTo(waited, asking));
    }),
  );
  const done = results.filter(({ status }) => status !== "pending");
  const enough = any ? done.length > 0 : done.length === results.length;
  const failed = any && done.some(({ exitCode }) => exitCode === 0) ? undefined : done.find(({ exitCode }) => exitCode !== 0);
  return {
    ...(enough ? {} : { status: "pending" as const }),
    data: { results: results.map(({ id, status, told }) => ({ id, status, ...told })) },
    exitCode: enough ? (failed?.exitCode ?? 0) : EXIT.pending,
    async delivered() {
      for (const result of done) await result.delivered?.();
    },
  };
}

function tell(id: string, reply: () => Reply): One {
  try {
    const { data, status = "success", exitCode = 0, delivered } = reply();
    return { id, status, exitCode, told: { data }, delivered };
  } catch (error) {
    if (!(error instanceof EnvoyError)) throw error;
    const { type, message, suggestion, issues, exitCode } = error;
    return { id, status: "error", exitCode, told: { error: { type, message, suggestion, issues } } };
  }
}
