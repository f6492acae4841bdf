import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { GateResult } from "../../schemas/quality.ts";
import { RoundFact } from "../../schemas/rounds.ts";
import type { Gate } from "../../src/quality/gates.ts";
import { foldRounds } from "../../src/quality/rounds.ts";
import { type RunInput, basisOf, beginRun, endRound, nextStep } from "../../src/quality/steps.ts";

const RETRY = { strategy: "auto", fresh_after_failures: 2, max_iterations: 3, on_stuck: "human" } as const;
const at = "2026-01-01T00:00:00.000Z";
const command = (name: string, more: Partial<Gate> = {}) =>
  ({ name, type: "command", command: name, timeoutMs: 1000, serial: false, failFast: false, ...more }) as Gate;
const human = (name: string) => ({ name, type: "human", prompt: "Look", serial: false, failFast: false }) as Gate;
const serial = (name: string) => command(name, { serial: true });
const result = (name: string, outcome: GateResult["outcome"]): GateResult => ({
  name,
  outcome,
  duration_ms: 1,
  findings: outcome === "failed" ? [{ priority: "P1", issue: `${name} is wrong` }] : [],
  summary: outcome,
});

/** Plays the part of the command that will drive this: begins, steps, records. */
class Driver {
  facts: RoundFact[] = [];
  ran: string[] = [];
  gates: Gate[];
  retry: RunInput["retry"] = RETRY;
  tree = "tree-1";
  notApplicable: string[] = [];

  constructor(...gates: Gate[]) {
    this.gates = gates;
  }

  get state() {
    return foldRounds(this.facts, this.retry);
  }

  begin(): boolean {
    const basis = basisOf(this.tree, this.gates);
    const input = { basis, gates: this.gates, notApplicable: this.notApplicable, retry: this.retry, at, by: "agent-1" };
    const begun = beginRun(this.facts, input);
    if (begun.kind === "refused") return false;
    this.facts.push(...begun.facts);
    return this.state.open !== undefined;
  }

  finish(name: string, outcome: GateResult["outcome"]): void {
    this.facts.push({ type: "gate_finished", at, by: "agent-1", result: result(name, outcome) });
  }

  /** Runs until the end, a person, or as many results as `kills` allows. */
  run(outcomes: Record<string, GateResult["outcome"]> = {}, killAfter = Infinity): string {
    if (!this.begin()) return this.state.phase;
    for (let left = killAfter; ;) {
      const step = nextStep(this.gates, this.state.open!);
      if (step.kind === "ask") {
        const answered = step.gates.filter(({ name }) => outcomes[name]);
        if (answered.length === 0) return `ask ${step.gates.map(({ name }) => name).join()}`;
        for (const { name } of answered) this.finish(name, outcomes[name]!);
        continue;
      }
      if (step.kind === "run") {
        for (const gate of step.gates) {
          if (left-- <= 0) return "killed";
          this.ran.push(gate.name);
          const outcome = outcomes[gate.name] ?? "passed";
          this.finish(gate.name, outcome);
          if (gate.failFast && outcome === "failed") break;
        }
        continue;
      }
      if (step.outcome !== "error") {
        if (left-- <= 0) return "killed";
        this.facts.push(endRound(this.facts, step.outcome, { retry: this.retry, at, by: "agent-1" }));
      }
      return step.results.map(({ name, outcome }) => `${name}:${outcome}`).join(" ");
    }
  }
}

describe("the order of gates", () => {
  it("runs serial gates alone and in order, and a failed one ends the run", () => {
    const driver = new Driver(serial("tests"), serial("types"), command("lint"), command("review"));
    driver.begin();
    expect(nextStep(driver.gates, driver.state.open!)).toMatchObject({ kind: "run", gates: [{ name: "tests" }] });
    expect(driver.run({ types: "failed" })).toBe("tests:passed types:failed lint:skipped review:skipped");
    expect(driver.ran).toEqual(["tests", "types"]);
  });

  it("runs those between two serial ones together, and gathers all their findings", () => {
    const driver = new Driver(command("a"), command("b"), serial("c"), command("d"));
    driver.begin();
    expect(nextStep(driver.gates, driver.state.open!)).toMatchObject({ kind: "run", gates: [{ name: "a" }, { name: "b" }] });
    expect(driver.run({ a: "failed", b: "failed" })).toBe("a:failed b:failed c:passed d:passed");
    expect(driver.state.feedback.map(({ gate_name }) => gate_name)).toEqual(["a", "b"]);
  });

  it("ends at once where a gate that fails fast fails", () => {
    const driver = new Driver(command("a", { failFast: true }), command("b"), serial("c"));
    expect(driver.run({ a: "failed" })).toBe("a:failed b:skipped c:skipped");
    expect(driver.state.phase).toBe("needs_fixes");
  });

  it("leaves out what its `when` leaves out", () => {
    const driver = new Driver(serial("a"), command("b"));
    driver.notApplicable = ["a"];
    expect(driver.run()).toBe("a:skipped b:passed");
    expect(driver.state.phase).toBe("gates_passed");
  });

  it("passes with no gates at all", () => {
    const driver = new Driver();
    expect(driver.run()).toBe("");
    expect(driver.state.phase).toBe("gates_passed");
  });

  it("asks a person after the other gates, and not about what has failed anyway", () => {
    const driver = new Driver(human("approve"), command("review"));
    expect(driver.run({ review: "failed" })).toBe("approve:skipped review:failed");
    driver.tree = "tree-2";
    expect(driver.run()).toBe("ask approve");
    expect(driver.run({ approve: "failed" })).toBe("approve:failed review:passed");
    expect(driver.state.feedback).toMatchObject([{ gate_name: "approve" }]);
  });
});

describe("rounds", () => {
  it("are resumed, not repeated: a person waited for in ten slices costs one run of the tests", () => {
    const driver = new Driver(serial("tests"), command("review"), human("approve"));
    for (let slice = 0; slice < 10; slice++) expect(driver.run()).toBe("ask approve");
    expect(driver.state).toMatchObject({ phase: "evaluating", iteration: 1, rounds: [], gate_index: 2 });
    expect(driver.run({ approve: "passed" })).toBe("tests:passed review:passed approve:passed");
    expect(driver.ran).toEqual(["tests", "review"]);
    expect(driver.state).toMatchObject({ phase: "gates_passed", rounds: [{ iteration: 1, outcome: "passed" }] });
  });

  it("begin anew where the tree has changed meanwhile, and are not counted for it", () => {
    const driver = new Driver(serial("tests"), human("approve"));
    driver.run();
    driver.tree = "tree-2";
    driver.run();
    expect(driver.ran).toEqual(["tests", "tests"]);
    expect(driver.state.iteration).toBe(1);
  });

  it("keep results although a gate wrote files of its own", () => {
    const driver = new Driver(serial("tests"), human("approve"));
    driver.begin();
    driver.tree = "tree-with-coverage";
    const fact: RoundFact = {
      type: "gate_finished",
      at,
      by: "a",
      result: result("tests", "passed"),
      basis_after: basisOf(driver.tree, driver.gates),
    };
    driver.facts.push(fact);
    expect(driver.run()).toBe("ask approve");
    expect(driver.ran).toEqual([]);
  });

  it("begin anew where the gates were configured otherwise meanwhile", () => {
    const driver = new Driver(serial("tests"), human("approve"));
    driver.run();
    driver.gates = [command("tests", { serial: true, command: "npm run other" } as Partial<Gate>), human("approve")];
    driver.run();
    expect(driver.ran).toEqual(["tests", "tests"]);
  });

  it("are not used up by what befalls a gate, and try it again", () => {
    const driver = new Driver(serial("tests"), command("review"));
    for (let i = 0; i < 5; i++) expect(driver.run({ review: "error" })).toBe("tests:passed review:error");
    expect(driver.state).toMatchObject({ phase: "evaluating", iteration: 1, rounds: [] });
    expect(driver.run()).toBe("tests:passed review:passed");
    expect(driver.ran.filter((name) => name === "tests")).toHaveLength(1);
    expect(driver.ran.filter((name) => name === "review")).toHaveLength(6);
  });

  it("count when killed after a failure that the agent then acted upon", () => {
    const driver = new Driver(serial("tests"), serial("types"));
    for (let i = 1; i <= 2; i++) {
      expect(driver.run({ tests: "failed" }, 1)).toBe("killed");
      driver.tree = `tree-${i + 1}`;
    }
    expect(driver.run({ tests: "failed" }, 1)).toBe("killed");
    driver.tree = "tree-9";
    expect(driver.run()).toBe("stuck");
    expect(driver.state.rounds.map(({ outcome }) => outcome)).toEqual(["failed_with_retry", "failed_with_retry", "failed_max_iterations"]);
  });

  it("end when the verdict was reached but not yet recorded", () => {
    const driver = new Driver(serial("tests"), serial("types"));
    driver.run({ tests: "failed" }, 1);
    expect(driver.run()).toBe("tests:failed types:skipped");
    expect(driver.ran).toEqual(["tests"]);
    expect(driver.state).toMatchObject({ phase: "needs_fixes", rounds: [{ iteration: 1 }] });
  });

  it("call a person after too many, who may allow more, accept, or give up", () => {
    const driver = new Driver(serial("tests"));
    const failAll = () => {
      for (let i = 0; i < 3; i++) driver.run({ tests: "failed" });
    };
    failAll();
    expect(driver.state).toMatchObject({ phase: "stuck", iteration: 3 });
    expect(driver.run()).toBe("stuck");
    const decide = (decision: "retry" | "accept" | "abandon") => driver.facts.push({ type: "stuck_decided", at, by: "human", decision });
    decide("retry");
    expect(driver.state.phase).toBe("needs_fixes");
    failAll();
    expect(driver.state).toMatchObject({ phase: "stuck", iteration: 3, rounds: { length: 6 } });
    decide("accept");
    expect(driver.state.phase).toBe("gates_passed");
    failAll();
    decide("abandon");
    expect(driver.state.phase).toBe("failed");
    expect(driver.run()).toBe("failed");
    decide("retry");
    expect(driver.state.phase).toBe("failed");
  });

  it("fail the task where no person is to be called", () => {
    const driver = new Driver(serial("tests"));
    driver.retry = { ...RETRY, on_stuck: "fail", max_iterations: 1 };
    driver.run({ tests: "failed" });
    expect(driver.state.phase).toBe("failed");
  });

  it("say who goes on", () => {
    const driver = new Driver(serial("tests"));
    driver.run({ tests: "failed" });
    expect(driver.facts.at(-1)).toMatchObject({ outcome: "failed_with_retry", next_agent: "same" });
    driver.run({ tests: "failed" });
    expect(driver.facts.at(-1)).toMatchObject({ outcome: "failed_with_retry", next_agent: "fresh" });
    driver.run({ tests: "failed" });
    expect(driver.facts.at(-1)).not.toHaveProperty("next_agent");
  });

  it("keep what the agent said about its work, until the round is over", () => {
    const driver = new Driver(serial("tests"));
    driver.facts.push({ type: "checkpoint", at, by: "agent-1", work_summary: "Sum", files_modified: ["a"], context_exhausted: true });
    expect(driver.state).toMatchObject({ phase: "working", work_summary: "Sum", files_modified: ["a"], contextExhausted: true });
    driver.run({ tests: "failed" });
    expect(driver.facts.at(-1)).toMatchObject({ next_agent: "fresh" });
    expect(driver.state.contextExhausted).toBe(false);
  });

  it("hold their limits, whatever happens in whatever order", () => {
    const outcome = fc.constantFrom<GateResult["outcome"]>("passed", "passed", "failed", "error");
    const names = ["a", "b", "c", "d", "e"];
    const gate = (name: string) =>
      fc.constantFrom(command(name), serial(name), command(name, { failFast: true }), human(name), {
        ...human(name),
        serial: true,
      } as Gate);
    const run = fc.record({
      outcomes: fc.dictionary(fc.constantFrom(...names), outcome),
      killAfter: fc.oneof(fc.nat(5), fc.constant(Infinity)),
      changes: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.tuple(...names.map(gate)), fc.array(run, { maxLength: 25 }), (gates, runs) => {
        const driver = new Driver(...gates);
        for (const [i, { outcomes, killAfter, changes }] of runs.entries()) {
          if (changes) driver.tree = `tree-${i + 2}`;
          const before = { phase: driver.state.phase, ran: driver.ran.length, rounds: driver.state.rounds.length };
          driver.run(outcomes, killAfter);
          const { state } = driver;
          if (before.phase === "stuck" || before.phase === "failed") expect(driver.ran.length).toBe(before.ran);
          expect(state.currentSet.length).toBeLessThanOrEqual(RETRY.max_iterations);
          expect(state.rounds.length - before.rounds).toBeLessThanOrEqual(2);
          if (state.phase === "gates_passed") expect(state.rounds.at(-1)!.outcome).toBe("passed");
        }
        // A gate passes only by its own result in that very round.
        let results = new Map<string, string>();
        for (const fact of driver.facts) {
          expect(RoundFact.safeParse(fact).success).toBe(true);
          if (fact.type === "round_started") results = new Map();
          if (fact.type === "gate_finished") results.set(fact.result.name, fact.result.outcome);
          if (fact.type === "round_ended" && fact.outcome === "passed")
            expect(names.map((name) => results.get(name))).toEqual(names.map(() => "passed"));
        }
      }),
      { numRuns: 300 },
    );
  });
});
