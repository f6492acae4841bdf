// What a wait for a person came to, as an agent reads it.
import { constants } from "node:os";
import { resolve } from "node:path";
import { EXIT, EnvoyError, type Issue } from "../schemas/errors.ts";
import { deliver } from "../src/gate/deliver.ts";
import type { GateResult, GateState } from "../src/gate/history.ts";
import { type House, isQuestionId, placeOf } from "../src/gate/house.ts";
import type { Waited } from "../src/gate/wait.ts";
import type { QuestionSubject } from "../src/questions/question.ts";
import { formFile, logsFile } from "../src/stores/form-files.ts";
import { formatDuration } from "../src/system/durations.ts";
import type { Context, Reply } from "./command.ts";
import type { WaitInput } from "./gate-flags.ts";
import type { OpenedPlan } from "./open-plan.ts";

export interface Asking {
  house: House;
  context: Context;
  flags: WaitInput;
  /** The words that go on waiting, without the flags. */
  resume: (id: string) => string;
  /** The words of the gate's own command, which starts a new period. */
  again: string;
  view?: (result: GateResult) => Record<string, unknown>;
}

export function replyTo(waited: Waited, asking: Asking): Reply {
  switch (waited.kind) {
    case "ended":
      return ended(waited.gate, asking);
    case "pending":
      return pending(waited.look, asking);
    case "too_many_tokens":
      throw logsTooLarge(asking.house, waited.look.gate)!;
    case "timeout": {
      const { gate } = waited.look;
      const { key } = gate.opened;
      if (isQuestionId(gate.id)) throw expired(gate);
      throw new EnvoyError("timeout", {
        gate: key,
        gate_id: gate.id,
        file: fileOf(asking.house, gate),
        deadline: gate.deadline!.toISOString(),
        again: commandLine(asking.context, asking.again),
      });
    }
    case "invalid": {
      const { gate, marks } = waited.look;
      const file = fileOf(asking.house, gate);
      throw new EnvoyError("invalid_feedback", { file, gate_id: gate.id, issues: marks.map((mark) => ({ file, ...mark })) });
    }
  }
}

/** Undefined where the form was handed back for another reason. */
export function logsTooLarge(house: House, { id, opened, handedBack }: GateState): EnvoyError | undefined {
  const limit = handedBack?.too_many_tokens;
  return limit === undefined
    ? undefined
    : new EnvoyError("logs_too_large", { file: logsFile(placeOf(house, id, opened)), limit, gate_id: id });
}

const expired = (gate: GateState) =>
  new EnvoyError("question_expired", {
    question_id: gate.id,
    expired_at: gate.deadline!.toISOString(),
    on_timeout: (gate.subject as QuestionSubject).on_timeout,
  });

export const fileOf = (house: House, gate: GateState): string => formFile(placeOf(house, gate.id, gate.opened));

export function ended(gate: GateState, { house, flags, view }: Asking, replayed = false): Reply {
  if (gate.end?.type === "withdrawn") {
    const { reason } = gate.end;
    throw new EnvoyError("gate_cancelled", { gate: gate.opened.key, gate_id: gate.id, ...(reason ? { reason } : {}) });
  }
  const result = gate.applied!.result!;
  const data = { ...(view ? view(result) : result), ...(replayed ? { replayed: true } : {}) };
  return {
    data,
    exitCode: flags["require-approval"] && (data as { proceed?: boolean }).proceed !== true ? EXIT.notCleared : EXIT.success,
    delivered: () => deliver(house, gate.id),
  };
}

type PendingLook = Extract<Waited, { kind: "pending" }>["look"];

function pending({ gate, form, marks }: PendingLook, asking: Asking): Reply {
  const { house, context } = asking;
  const file = fileOf(house, gate);
  const said = {
    untouched: "No person has answered yet; silence is no consent.",
    begun: "A person has begun to write but is not finished; nothing is decided yet.",
    handed_back: "The person's form was handed back with marks and waits to be corrected; nothing is decided yet.",
  }[form];
  const data = {
    ...(isQuestionId(gate.id) ? { question_id: gate.id, question_status: "open" } : {}),
    gate_id: gate.id,
    gate: gate.opened.key,
    file,
    opened_at: gate.opened.at,
    deadline: gate.deadline?.toISOString(),
    resume: withFlags(asking, gate.id),
    message: `${said} Run the command in \`resume\` to go on waiting.`,
    form,
    issues: marks.map((mark): Issue => ({ file, ...mark })),
  };
  return { status: "pending", data, exitCode: pendingExit(context) };
}

/** A signal that ended the wait shows in the exit code, as shells expect. */
export function pendingExit({ interruption }: Context): number {
  const { aborted, reason } = interruption();
  return aborted ? 128 + constants.signals[reason as keyof typeof constants.signals] : EXIT.pending;
}

/** The exact command that goes on from here. `--timeout` is left out: it would begin anew with each call. */
export function withFlags({ context, flags, resume }: Pick<Asking, "context" | "flags" | "resume">, id: string): string {
  const words = [
    resume(id),
    flags.wait === undefined ? "" : `--wait ${inMilliseconds(flags.wait)}`,
    flags["on-invalid"] === "fail" ? "--on-invalid fail" : "",
    flags["require-approval"] ? "--require-approval" : "",
  ];
  return commandLine(context, words.filter(Boolean).join(" "));
}

/** As it is typed from where the caller stands. */
const commandLine = ({ directory }: Context, words: string): string =>
  `envoy${directory === undefined ? "" : ` -C ${quoted(directory)}`} ${words}`;

/** The plan that was named, in words that mean the same from any folder. */
export const planWords = ({ cwd }: Context, planDir: string | undefined): string =>
  planDir === undefined ? "" : `--plan-dir ${quoted(resolve(cwd, planDir))}`;

/** What waits for a gate looks in the project of its folder. */
export const startedAt = (context: Context, { elsewhere, project }: Omit<OpenedPlan, "plan">): Context =>
  elsewhere ? { ...context, directory: project.root } : context;

const inMilliseconds = (ms: number) => (ms % 60_000 === 0 ? `${ms / 60_000}m` : ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`);
export const quoted = (word: string) => (/^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** Said before the wait begins: a process that is killed at once must have said enough. */
export function announce(gate: GateState, asking: Asking, how: string): void {
  const { house, context } = asking;
  context.interruption(); // who reads this may end the wait at once, and still gets its `pending`
  // The few milliseconds since it was opened would make 11 h 59 min of 12 h.
  const seconds = gate.deadline && Math.ceil((gate.deadline.getTime() - Date.now()) / 1000);
  const left = seconds === null ? "" : `, for ${formatDuration(seconds * 1000)} at most`;
  const asked = isQuestionId(gate.id) ? [`  asked:  ${(gate.subject as QuestionSubject).prompt}`] : [];
  context.note(
    [
      `envoy: ${how} ${isQuestionId(gate.id) ? gate.id : `${gate.opened.key} (${gate.id})`}. No person has answered yet; waiting${left}.`,
      ...asked,
      `  form:   ${fileOf(house, gate)}`,
      `  resume: ${withFlags(asking, gate.id)}`,
    ].join("\n"),
  );
}
