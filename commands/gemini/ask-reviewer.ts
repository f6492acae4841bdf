// What an audit and a review have in common: a reviewer is asked once, and its questions go to a person.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { EXIT } from "../../schemas/errors.ts";
import { attach } from "../../src/gate/attach.ts";
import type { Gate } from "../../src/gate/gate.ts";
import { currentGate } from "../../src/gate/open.ts";
import { waitForGate } from "../../src/gate/wait.ts";
import { runAudit } from "../../src/quality/audit.ts";
import { makeFolder } from "../../src/system/atomic-file.ts";
import type { Context, Reply } from "../command.ts";
import { planDir, text } from "../flags.ts";
import { openNew, period, skipped, takeIfAnswered, waitOptions } from "../gate-command.ts";
import { type WaitInput, waitFlags } from "../gate-flags.ts";
import { type Asking, announce, ended, pendingExit, planWords, quoted, replyTo, startedAt, withFlags } from "../gate-reply.ts";
import { openHouse } from "../house.ts";
import type { OpenedPlan } from "../open-plan.ts";
import { type Reviewed, approves } from "./reviewed.ts";

const REVIEWER = "gemini";
const REVIEWER_MS = 10 * 60_000;

export const reviewFlags = () => ({
  reviewer: text(`any command that reads a prompt on stdin and prints JSON; default: ${REVIEWER}`, "CMD"),
  ...waitFlags(),
  "plan-dir": planDir(),
});

/** What a reviewer is to read, and where it runs. */
type Material = { text: string; cwd: string } | { skipped: string };

interface Review<R extends Reviewed, A> {
  gate: Gate<R, R, A>;
  key: string;
  at: OpenedPlan;
  /** The command's own words. */
  words: string;
  planDir: string | undefined;
  reviewer: string | undefined;
  /** Only asked for where a reviewer is. */
  material: () => Promise<Material>;
  /** What the gate keeps beside the reviewer's words. */
  about: Omit<R, keyof Reviewed>;
}

export async function askReviewer<R extends Reviewed, A>(context: Context, flags: WaitInput, review: Review<R, A>): Promise<Reply> {
  const { gate, key, at, about } = review;
  const { plan } = at;
  const house = await openHouse(context, at.project);
  const reviewer = review.reviewer === undefined ? "" : `--reviewer ${quoted(review.reviewer)}`;
  const command = [review.words, reviewer, planWords(context, review.planDir)].filter(Boolean).join(" ");
  const asking: Asking = { house, context: startedAt(context, at), flags, resume: (id) => `wait ${id}`, again: command };
  const before = await takeIfAnswered(house, await currentGate(house, key, plan));
  if (before?.end?.type === "answered" && !before.delivered) return ended(before, asking);
  if (before && !before.end) {
    const timeout = flags.timeout === undefined ? {} : { timeoutMs: flags.timeout };
    const attached = await attach(house, before.id, { ...timeout, periodMs: period(context, flags) });
    if (!attached.end) announce(attached, asking, "attached to");
    return replyTo(await waitForGate(house, attached, waitOptions(context, flags)), asking);
  }
  const material = await review.material();
  if ("skipped" in material) return skipped(key, material, flags);
  const said = await ask(asking, review.reviewer ?? REVIEWER, material);
  if (!said) return interrupted(asking, command);
  if (!said.clarifying_questions.length) return { data: { gate: key, ...withoutQuestions(said) }, exitCode: exitOf(said, flags) };
  const args = { ...said, ...about } as unknown as R;
  return openNew({ gate: gate as unknown as Gate, args, plan, asking }, { subject: args, after: before?.id });
}

/** Undefined where a signal called it off. */
async function ask({ house, context }: Asking, command: string, { text: prompt, cwd }: Extract<Material, { text: string }>) {
  const outputFolder = join(house.project.directory, "state", "reviewer-output", randomBytes(6).toString("hex"));
  await makeFolder(house.project.root, outputFolder);
  const signal = context.interruption();
  const progress = (line: string) => context.note(`envoy: ${line}`);
  return runAudit({ command, prompt, timeoutMs: REVIEWER_MS }, { cwd, outputFolder, env: process.env, signal, progress }).catch(
    (error: unknown) => {
      if (signal.aborted && error === signal.reason) return undefined;
      throw error;
    },
  );
}

function withoutQuestions({ verdict, thoughts, suggested_edits }: Reviewed) {
  const approved = approves(verdict);
  return {
    reviewer: { verdict, thoughts, suggested_edits },
    proceed: approved,
    summary: `The reviewer has no questions and ${approved ? "approves" : `does not approve (${verdict})`}; no person was asked.`,
    next: approved ? "Go on." : "Make the changes that reviewer.suggested_edits names, then run this again.",
  };
}

const exitOf = ({ verdict }: Reviewed, flags: WaitInput): number =>
  flags["require-approval"] && !approves(verdict) ? EXIT.notCleared : EXIT.success;

function interrupted(asking: Asking, command: string): Reply {
  const message = "The reviewer was interrupted and has ended; nobody was asked. Run the command in `resume` to ask it again.";
  return {
    status: "pending",
    exitCode: pendingExit(asking.context),
    data: { resume: withFlags({ ...asking, resume: () => command }, ""), message },
  };
}
