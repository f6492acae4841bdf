// `.envoy/events.jsonl`: what happened, one line each, for people and dashboards. Nothing is decided from it.
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { isoNow } from "../system/clock.ts";
import { errorCode, ioFailed } from "../system/safe-path.ts";
import { EnvoyError } from "../../schemas/errors.ts";
import { makeFolder } from "../system/atomic-file.ts";
import type { Project } from "./project.ts";

const EVENTS = [
  "asked",
  "answered",
  "expired",
  "withdrawn",
  "halted",
  "resumed",
  "task_completion_signaled",
  "gate_evaluation_started",
  "gate_completed",
  "all_gates_passed",
  "gate_failed_retrying",
  "gate_failed_max_iterations",
  "human_review_requested",
  "human_review_completed",
] as const;

export interface EventLine {
  event: (typeof EVENTS)[number];
  /** When it happened, where that is not now. */
  at?: string;
  /** Whom it concerns: `agent`, `session`, `task`, `all`, or null where nobody is halted. */
  scope: string | null;
  who: string;
  why?: string | undefined;
  [id: string]: unknown;
}

/** One write per line, so that lines of several processes never mix. After a crash a line may stand there twice. */
export async function appendEvent({ root, directory }: Project, { at = isoNow(), ...event }: EventLine): Promise<void> {
  const file = join(directory, "events.jsonl");
  await makeFolder(root, directory);
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    const handle = await open(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    try {
      if (!(await handle.stat()).isFile()) throw new EnvoyError("unsafe_path", { path: file, kind: "not a plain file" });
      await handle.write(`${JSON.stringify({ at, ...event })}\n`);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errorCode(error) === "ELOOP") throw new EnvoyError("unsafe_path", { path: file, kind: "a symbolic link" });
    throw ioFailed(error, file, "write to");
  }
}
