// The command of a gate: open or attach, wait, reply. The order of its first questions is the table in the contract.
import { EXIT, EnvoyError } from "../schemas/errors.ts";
import type { Gate } from "../src/gate/gate.ts";
import type { GateState } from "../src/gate/history.ts";
import type { House } from "../src/gate/house.ts";
import { look } from "../src/gate/look.ts";
import { attach } from "../src/gate/attach.ts";
import { currentGate, deadlineFrom, openGate } from "../src/gate/open.ts";
import { describeGateForm } from "../src/gate/describe.ts";
import { waitForGate } from "../src/gate/wait.ts";
import { heartbeatOf } from "../src/system/environment.ts";
import type { Plan } from "../src/stores/plans.ts";
import { type Command, type Context, type Positional, type Reply, defineCommand } from "./command.ts";
import { planDir, toggle } from "./flags.ts";
import { type WaitInput, waitFlags } from "./gate-flags.ts";
import { type Asking, announce, ended, pendingExit, planWords, replyTo, startedAt, withFlags } from "./gate-reply.ts";
import { openHouse } from "./house.ts";
import { openPlanOfProject } from "./open-plan.ts";

interface GateCommand<P> {
  name: string;
  positionals?: { args: Positional<P> };
  details?: string;
  example: string;
  /** The words behind the command that stand for these arguments. */
  words?: (args: P) => string;
  /** Each caller has its own view of the result, so going on means calling the gate's command again. */
  resumesItself?: boolean;
}

export function gateCommand<P, S, A>(
  gate: Gate<P, S, A>,
  { name, positionals, details, example, words, resumesItself }: GateCommand<P>,
): Command {
  return defineCommand({
    summary: gate.summary,
    ...(details ? { details } : {}),
    ...(positionals ? { positionals } : {}),
    flags: { ...waitFlags(), "dry-run": toggle("print what a finished form would change, and do nothing"), "plan-dir": planDir() },
    example,
    async run(input, context) {
      const args = (input as { args?: P }).args as P;
      const { plan, ...at } = await openPlanOfProject(context, input["plan-dir"], { settle: !input["dry-run"] });
      const house = await openHouse(context, at.project);
      const command = [name, words?.(args), planWords(context, input["plan-dir"])].filter(Boolean).join(" ");
      const asking: Asking = {
        house,
        context: startedAt(context, at),
        flags: input,
        resume: resumesItself ? () => command : (id) => `wait ${id}`,
        again: command,
        ...(gate.view ? { view: (result) => gate.view!(result, args) } : {}),
      };
      const call: Call = { gate: gate as unknown as Gate, args, plan, asking };
      if (input["dry-run"]) {
        const { dryRun } = await import("./gate-dry-run.ts");
        return dryRun(call);
      }
      return runGate(call);
    },
  });
}

export interface Call {
  gate: Gate;
  args: unknown;
  plan: Plan;
  asking: Asking;
}

async function runGate(call: Call): Promise<Reply> {
  const { gate, args, plan, asking } = call;
  const { house, context, flags } = asking;
  const before = await takeIfAnswered(house, await currentGate(house, gate.key(args), plan));
  if (before?.end?.type === "answered" && !before.delivered) return ended(before, asking);
  if (before && !before.end) return attachTo(call, before);
  const { loadWhenReady } = await import("../src/gate/ready.ts");
  const resume = withFlags({ ...asking, resume: () => asking.again }, "");
  const waiting = { period: { periodMs: period(context, flags), anew: flags.timeout !== undefined }, resume };
  const loading = await loadWhenReady(house, { gate, args, plan, ...waitOptions(context, flags), ...waiting });
  if ("pending" in loading) return notReady(call, { ...loading, resume });
  if ("skipped" in loading) return skipped(gate.key(args), loading, flags);
  if ("decided" in loading) {
    const decided = await currentGate(house, gate.key(args), plan);
    if (decided?.end?.type === "answered") return ended(decided, asking, true);
    throw new Error(`${gate.key(args)} says it was decided, but has no record of it`);
  }
  return openNew(call, { subject: loading.subject, after: before?.id });
}

/** What was asked stays asked, whatever has become of its subjects; only a wrong call is refused. */
async function attachTo({ gate, args, plan, asking }: Call, { id }: GateState): Promise<Reply> {
  const { house, context, flags } = asking;
  const { loadNow } = await import("../src/gate/ready.ts");
  await loadNow(house, { gate, args, plan }).catch((error: unknown) => {
    if (!(error instanceof EnvoyError) || error.exitCode !== EXIT.state) throw error;
  });
  const timeout = flags.timeout === undefined ? {} : { timeoutMs: flags.timeout };
  const attached = await attach(house, id, { ...timeout, periodMs: period(context, flags) });
  if (!attached.end) announce(attached, asking, "attached to");
  return replyTo(await waitForGate(house, attached, waitOptions(context, flags)), asking);
}

export async function openNew(
  { gate, args, plan, asking }: Call,
  { subject, after }: { subject: unknown; after: string | undefined },
): Promise<Reply> {
  const { house, context, flags } = asking;
  const key = gate.key(args);
  const periodMs = period(context, flags);
  const opened = await openGate(house, {
    kind: gate.kind,
    key,
    plan,
    args: args ?? null,
    subject,
    form: describeGateForm(house, gate, { key, plan, subject, periodMs }),
    logs: gate.logs ?? false,
    deadline: deadlineFrom(periodMs),
    askedBy: context.environment.ENVOY_AGENT_ID ?? "an agent",
    after,
  });
  if (!opened.end) announce(opened, asking, "opened");
  return replyTo(await waitForGate(house, opened, waitOptions(context, flags)), asking);
}

/** Where an approval is required, nobody's word is none. */
export const skipped = (gate: string, { skipped: reason, next }: { skipped: string; next?: string }, flags: WaitInput): Reply => ({
  data: {
    gate,
    skipped: true,
    reason,
    summary: `Nobody was asked: ${reason}`,
    next: ["Go on; there is nothing to decide here.", next].filter(Boolean).join(" "),
  },
  exitCode: flags["require-approval"] ? EXIT.notCleared : EXIT.success,
});

/** A form that was answered while nobody waited is taken at once. */
export async function takeIfAnswered(house: House, gate: GateState | undefined): Promise<GateState | undefined> {
  return gate && (await look(house, gate.id)).gate;
}

export const period = ({ environment }: Context, flags: WaitInput): number =>
  flags.timeout ?? environment.BLOCKING_GATE_TIMEOUT_MS ?? 43_200_000;

export function waitOptions({ environment, interruption }: Context, flags: WaitInput) {
  const slice = flags.wait ?? environment.ENVOY_WAIT;
  return {
    ...(slice === undefined ? {} : { until: new Date(Date.now() + slice) }),
    interrupted: interruption(),
    failOnInvalid: flags["on-invalid"] === "fail",
    heartbeatMs: heartbeatOf(environment),
  };
}

/** Without a form there is no id to wait for: the gate's own command goes on. */
function notReady({ gate, args, asking }: Call, { pending, until, resume }: { pending: string[]; until: Date; resume: string }): Reply {
  const message = `The form is not there yet: it comes once what \`waiting_for\` names is ready. Nobody was asked so far. Run the command in \`resume\` to go on waiting.`;
  return {
    status: "pending",
    exitCode: pendingExit(asking.context),
    data: { gate: gate.key(args), deadline: until.toISOString(), resume, message, waiting_for: pending },
  };
}
