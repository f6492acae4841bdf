// The command of a gate: open or attach, wait, reply. The order of its first questions is the table in the contract.
import type { Gate } from "../src/gate/gate.ts";
import type { GateState } from "../src/gate/history.ts";
import type { House } from "../src/gate/house.ts";
import { look } from "../src/gate/look.ts";
import { attach } from "../src/gate/attach.ts";
import { currentGate, deadlineFrom, openGate } from "../src/gate/open.ts";
import { describeGateForm } from "../src/gate/describe.ts";
import { waitForGate } from "../src/gate/wait.ts";
import type { Plan } from "../src/stores/plans.ts";
import { type Command, type Context, type Positional, type Reply, defineCommand } from "./command.ts";
import { planDir, toggle } from "./flags.ts";
import { type WaitInput, waitFlags } from "./gate-flags.ts";
import { type Asking, announce, ended, replyTo } from "./gate-reply.ts";
import { openHouse } from "./house.ts";
import { openPlan } from "./open-plan.ts";

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
      const plan = await openPlan(context, input["plan-dir"], { settle: !input["dry-run"] });
      const house = await openHouse(context);
      const command = [name, words?.(args)].filter(Boolean).join(" ");
      const asking: Asking = {
        house,
        context,
        flags: input,
        resume: resumesItself ? () => command : (id) => `wait ${id}`,
        again: `envoy ${command}`,
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
  const key = gate.key(args);
  const before = await takeIfAnswered(house, await currentGate(house, key, plan));
  if (before?.end?.type === "answered" && !before.delivered) return ended(before, asking);
  const { loadWhenReady } = await import("../src/gate/ready.ts");
  const loading = await loadWhenReady(house, { gate, args, plan, ...waitOptions(context, flags), periodMs: period(context, flags) });
  if ("pending" in loading) return notReady(call, loading.pending);
  if ("skipped" in loading)
    return {
      data: {
        gate: key,
        skipped: true,
        reason: loading.skipped,
        summary: `Nobody was asked: ${loading.skipped}`,
        next: "Go on; there is nothing to decide here.",
      },
    };
  if ("decided" in loading) {
    const decided = await currentGate(house, key, plan);
    if (decided?.end?.type === "answered") return ended(decided, asking, true);
    throw new Error(`${key} says it was decided, but has no record of it`);
  }
  const open = before && !before.end;
  const opened = open
    ? await attach(house, before.id, {
        ...(flags.timeout === undefined ? {} : { timeoutMs: flags.timeout }),
        periodMs: period(context, flags),
      })
    : await openGate(house, {
        kind: gate.kind,
        key,
        plan,
        args: args ?? null,
        subject: loading.subject,
        form: describeGateForm(house, gate, { key, plan, subject: loading.subject, periodMs: period(context, flags) }),
        logs: gate.logs ?? false,
        deadline: deadlineFrom(period(context, flags)),
        askedBy: context.environment.ENVOY_AGENT_ID ?? "an agent",
        after: before?.id,
      });
  if (!opened.end) announce(opened, asking, open ? "attached to" : "opened");
  return replyTo(await waitForGate(house, opened.id, waitOptions(context, flags)), asking);
}

/** A form that was answered while nobody waited is taken at once. */
async function takeIfAnswered(house: House, gate: GateState | undefined): Promise<GateState | undefined> {
  return gate && (await look(house, gate.id)).gate;
}

const period = ({ environment }: Context, flags: WaitInput): number => flags.timeout ?? environment.BLOCKING_GATE_TIMEOUT_MS ?? 43_200_000;

export function waitOptions({ environment, interruption }: Context, flags: WaitInput) {
  const slice = flags.wait ?? environment.ENVOY_WAIT;
  return {
    ...(slice === undefined ? {} : { until: new Date(Date.now() + slice) }),
    interrupted: interruption(),
    failOnInvalid: flags["on-invalid"] === "fail",
    heartbeatMs: environment.ENVOY_HEARTBEAT,
  };
}

function notReady({ gate, args, asking }: Call, missing: string[]): Reply {
  const { again } = asking;
  const message = `The form is not there yet: ${missing.join(", ")} not ready. Nobody was asked so far. Run the command in \`resume\` to go on waiting.`;
  return { status: "pending", exitCode: 75, data: { gate: gate.key(args), resume: again, message, waiting_for: missing } };
}
