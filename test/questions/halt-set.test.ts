import fc from "fast-check";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EnvoyError, ExecutionGate, answerQuestion, createQuestion, withdrawQuestion } from "../../src/index.ts";
import { temporaryFolder } from "../support/project.ts";

const TYPES = ["BLOCKING", "APPROVAL", "EMERGENCY", "CLARIFYING"] as const;
const POLICIES = ["block", "defer", "fail"] as const;
type Step =
  | { do: "ask"; agent: number; session?: number; type: (typeof TYPES)[number]; expires: boolean; policy: (typeof POLICIES)[number] }
  | { do: "answer" | "withdraw"; which: number }
  | { do: "halt" | "resume"; scope: "agent" | "session" | "all"; who: number }
  | { do: "restart" };

const few = fc.nat({ max: 1 });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record(
        {
          do: fc.constant("ask" as const),
          agent: few,
          session: few,
          type: fc.constantFrom(...TYPES),
          expires: fc.boolean(),
          policy: fc.constantFrom(...POLICIES),
        },
        { requiredKeys: ["do", "agent", "type", "expires", "policy"] },
      ),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("answer" as const, "withdraw" as const), which: fc.nat({ max: 5 }) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constantFrom("halt" as const, "resume" as const),
        scope: fc.constantFrom("agent" as const, "session" as const, "all" as const),
        who: few,
      }),
    },
    { weight: 1, arbitrary: fc.constant({ do: "restart" as const }) },
  ),
  { maxLength: 10 },
);

interface Asked {
  id: string;
  agent: string;
  session: string | undefined;
  type: string;
  /** `halting` until answered, withdrawn or deferred; `failed` can only be withdrawn. */
  state: "halting" | "failed" | "deferred" | "over";
}

/** The function in the contract, in the fewest words. */
function expected(asked: Asked[], halts: Set<string>) {
  const halting = asked.filter(({ state, type }) => (state === "halting" || state === "failed") && type !== "CLARIFYING");
  const manual = (scope: string) => [...halts].filter((each) => each.startsWith(scope)).map((each) => each.split(" ")[1]!);
  const sessions = halting.filter(({ type, session }) => type !== "BLOCKING" && session !== undefined).map(({ session }) => session!);
  return {
    systemHalted: halts.has("all") || halting.some(({ type }) => type === "EMERGENCY"),
    haltedSessions: [...new Set([...sessions, ...manual("session")])].sort(),
    haltedAgents: [...new Set([...halting.map(({ agent }) => agent), ...manual("agent")])].sort(),
  };
}

test("whoever is halted is so by the questions and the manual halts alone, after any history", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      const root = temporaryFolder();
      mkdirSync(join(root, ".envoy"));
      const place = { cwd: root };
      let gate = new ExecutionGate(place);
      const asked: Asked[] = [];
      const halts = new Set<string>();
      for (const [n, step] of plan.entries()) {
        await perform(step, n);
        expect(await gate.getHaltStatus()).toEqual(expected(asked, halts));
      }

      async function perform(step: Step, n: number): Promise<void> {
        if (step.do === "restart") gate = new ExecutionGate(place);
        else if (step.do === "ask") {
          const [agent, session] = [`a${step.agent}`, step.session === undefined ? undefined : `s${step.session}`];
          const question = await createQuestion(
            {
              prompt: `Q${n}?`,
              agentId: agent,
              ...(session ? { sessionId: session } : {}),
              type: step.type,
              timeoutMs: step.expires ? 0 : null,
              onTimeout: step.policy,
            },
            place,
          );
          const after = { block: "halting", fail: "failed", defer: "deferred" } as const;
          asked.push({ id: question.question_id, agent, session, type: step.type, state: step.expires ? after[step.policy] : "halting" });
        } else if ("which" in step) {
          const question = asked[step.which];
          if (!question) return;
          const end = step.do === "answer" ? answerQuestion(question.id, "x", place) : withdrawQuestion(question.id, place);
          const taken = question.state !== "over" && !(step.do === "answer" && question.state === "failed");
          if (!taken) await expect(end).rejects.toBeInstanceOf(EnvoyError);
          else {
            await end;
            question.state = "over";
          }
        } else {
          const name = `${step.scope === "session" ? "s" : "a"}${step.who}`;
          const key = step.scope === "all" ? "all" : `${step.scope} ${name}`;
          if (step.do === "halt") {
            await { agent: () => gate.haltAgent(name, "x"), session: () => gate.haltSession(name, "x"), all: () => gate.haltAll("x") }[
              step.scope
            ]();
            halts.add(key);
          } else {
            await { agent: () => gate.resumeAgent(name), session: () => gate.resumeSession(name), all: () => gate.resumeAll() }[
              step.scope
            ]();
            halts.delete(key);
          }
        }
      }
    }),
    { numRuns: 40 },
  );
}, 120_000);
