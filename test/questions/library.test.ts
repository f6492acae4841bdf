import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { ExecutionGate, answerQuestion, createQuestion, listQuestions, withdrawQuestion } from "../../src/index.ts";
import { newAsker } from "./asking.ts";

const gates: ExecutionGate[] = [];
afterEach(async () => {
  await Promise.all(gates.splice(0).map((gate) => gate.stop()));
});

async function newGate() {
  const asker = newAsker();
  await asker.data("task", "set", "t");
  const place = { cwd: asker.root };
  const gate = new ExecutionGate(place);
  gates.push(gate);
  await gate.start();
  return { asker, place, gate };
}

describe("a program", () => {
  test("hears of halts and resumptions that the command line makes", async () => {
    const { asker, gate } = await newGate();
    const halted = once(gate, "agent:halted");
    const id = await asker.ask("Which?", "--agent", "a1");
    expect(await halted).toMatchObject([{ agentId: "a1", reason: "Which?", question: { question_id: id } }]);
    expect(await gate.canProceed("a1")).toBe(false);
    const resumed = once(gate, "agent:resumed");
    await asker.data("answer", id, "this");
    expect(await resumed).toEqual([{ agentId: "a1", questionId: id, answer: "this" }]);
    const system = once(gate, "system:halted");
    await asker.data("halt", "--all", "--reason", "stop");
    expect(await system).toEqual([{ reason: "stop" }]);
    const session = once(gate, "session:halted");
    await asker.ask("May I?", "--agent", "a2", "--session", "s1", "--type", "APPROVAL");
    expect(await session).toMatchObject([{ sessionId: "s1" }]);
    expect(await gate.getHaltStatus()).toEqual({ systemHalted: true, haltedSessions: ["s1"], haltedAgents: ["a2"] });
  });

  test("halts and resumes others, who are told what was said", async () => {
    const { asker, gate } = await newGate();
    const events = [once(gate, "agent:halted"), once(gate, "session:halted"), once(gate, "system:halted")];
    await gate.haltAgent("a1", "wrong branch");
    await gate.haltSession("s1", "pause");
    await gate.haltAll("stop");
    expect(await Promise.all(events)).toMatchObject([[{ agentId: "a1" }], [{ sessionId: "s1" }], [{ reason: "stop" }]]);
    expect((await asker.run(["check", "--agent", "a1", "--session", "s1"])).json.data.reasons).toHaveLength(3);
    const cleared = gate.waitForClearance("a1", "s1");
    await gate.resumeAll();
    await gate.resumeSession("s1");
    const resumed = once(gate, "agent:resumed");
    await gate.resumeAgent("a1", "go on");
    expect(await resumed).toEqual([{ agentId: "a1", answer: "go on" }]);
    expect(await cleared).toEqual({ cleared: true, reason: "resumed", answer: "go on" });
  });

  test("waits for clearance as long as it says, also past the end of a question's time", async () => {
    const { place, gate } = await newGate();
    expect(await gate.waitForClearance("a1")).toEqual({ cleared: true });
    const { question_id: id } = await createQuestion({ prompt: "Which?", agentId: "a1", timeoutMs: 50 }, place);
    expect(await gate.waitForClearance("a1", undefined, 300)).toEqual({ cleared: false, reason: "timeout" });
    expect((await listQuestions({ status: "expired" }, place)).map(({ question_id }) => question_id)).toEqual([id]);
    const cleared = gate.waitForClearance("a1");
    await answerQuestion(id, "late", place);
    expect(await cleared).toEqual({ cleared: true, reason: "answered", answer: "late" });
  });

  test("asks, lists, answers and withdraws under the same rules as the commands", async () => {
    const { asker, place } = await newGate();
    const asked = { prompt: "Where?", agentId: "a1", taskId: "t", expectedAnswer: { kind: "json" as const } };
    const question = await createQuestion(asked, place);
    expect((await createQuestion(asked, place)).question_id).toBe(question.question_id);
    expect(await answerQuestion(question.question_id, { port: 80 }, place)).toMatchObject({ status: "answered", answer: { port: 80 } });
    await expect(answerQuestion(question.question_id, { port: 81 }, place)).rejects.toMatchObject({ type: "question_already_answered" });
    const other = await createQuestion({ prompt: "Sure?", agentId: "a1", expectedAnswer: { kind: "boolean" } }, place);
    await expect(answerQuestion(other.question_id, "perhaps", place)).rejects.toMatchObject({ type: "question_invalid_answer" });
    expect(await withdrawQuestion(other.question_id, { ...place, reason: "done" })).toMatchObject({ status: "withdrawn" });
    const forged = { prompt: "May I?", agentId: "a1", type: "APPROVAL" as const, onTimeout: "default" as const, default: "yes" };
    await expect(createQuestion(forged, place)).rejects.toMatchObject({ type: "invalid_argument" });
    expect(await asker.data("questions")).toEqual({});
  });
});
