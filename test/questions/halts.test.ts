import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { startEnvoy } from "../support/waiter.ts";
import { type Asker, newAsker } from "./asking.ts";

const check = async (asker: Asker, ...args: string[]) => {
  const { code, json } = await asker.run(["check", ...args]);
  expect(code).toBe(json.data.can_proceed ? 0 : 10);
  return json.data;
};
const may = async (asker: Asker, agent: string, ...args: string[]) => (await check(asker, "--agent", agent, ...args)).can_proceed;

describe("whom a question halts", () => {
  test.each([
    ["BLOCKING", [], [false, true, true]],
    ["ESCALATION", [], [false, true, true]],
    ["APPROVAL", [], [false, false, true]],
    ["EMERGENCY", [], [false, false, false]],
    ["CLARIFYING", [], [true, true, true]],
    ["CONFIRMING", [], [true, true, true]],
    ["PREFERENCE", [], [true, true, true]],
    ["ALERT", [], [true, true, true]],
    ["DECISION", [], [true, true, true]],
    ["BLOCKING", ["--halts", "session"], [false, false, true]],
    ["ESCALATION", ["--halts", "all"], [false, false, false]],
    ["EMERGENCY", ["--halts", "session"], [false, false, false]],
  ])("%s %j: the asker, its session-mate, a stranger may go on: %j", async (type, wider, expected) => {
    const asker = newAsker();
    const id = await asker.ask("May I?", "--agent", "a1", "--session", "s1", "--type", type, ...wider);
    const mate = await asker.run(["check"], { env: { ENVOY_AGENT_ID: "a2", ENVOY_SESSION_ID: "s1" } });
    expect([await may(asker, "a1"), mate.code === 0, await may(asker, "a3")]).toEqual(expected);
    await asker.data("answer", id, "yes");
    expect([await may(asker, "a1"), await may(asker, "a2", "--session", "s1"), await may(asker, "a3")]).toEqual([true, true, true]);
  });

  test("two questions need two answers", async () => {
    const asker = newAsker();
    const [first, second] = [await asker.ask("One?"), await asker.ask("Two?")];
    expect((await asker.data("answer", first, "1")).resumed).toBe(false);
    expect((await check(asker)).reasons).toMatchObject([{ scope: "agent", id: "default", question_id: second, reason: "Two?" }]);
    await asker.data("withdraw", second, "--reason", "not needed");
    expect(await check(asker)).toEqual({ can_proceed: true });
  });

  test("is the same after everything derived was deleted", async () => {
    const asker = newAsker();
    const id = await asker.ask("One?", "--task", "t");
    await asker.data("halt", "--session", "s", "--reason", "stop");
    const seen = async () => [
      await check(asker, "--session", "s"),
      (await asker.data("task", "list")).tasks,
      (await asker.data("questions")).questions,
    ];
    const before = await seen();
    for (const name of readdirSync(asker.file("state"))) rmSync(asker.file(`state/${name}`), { recursive: true });
    rmSync(asker.file("events.jsonl"));
    expect(await seen()).toEqual(before);
    await asker.data("answer", id, "still");
  });

  test("is never read from a damaged record", async () => {
    const asker = newAsker();
    const id = await asker.ask("One?");
    writeFileSync(asker.file(`questions/${id}/00001.json`), "{");
    expect((await asker.error("invalid_file", "check")).code).toBe(4);
    rmSync(asker.file(`questions/${id}`), { recursive: true });
    writeFileSync(asker.file(`questions/${id}`), "");
    expect((await asker.error("unsafe_path", "check")).code).toBe(4);
  });
});

test("a pipe in the place of a question's form is named, clears nobody, and keeps no command waiting", async () => {
  const asker = newAsker();
  const file = asker.file(`user_feedback/${await asker.ask("Which?")}.yaml`);
  rmSync(file);
  execFileSync("mkfifo", [file]);
  for (const command of ["check", "questions"]) expect((await asker.error("unsafe_path", command)).message).toContain(file);
});

describe("a manual halt", () => {
  test("survives answers, withdrawals and restarts; only resume lifts it, and that closes no question", async () => {
    const asker = newAsker();
    await asker.data("halt", "--agent", "a1", "--reason", "wrong branch", "--by", "Ada");
    const id = await asker.ask("Which?", "--agent", "a1");
    expect((await check(asker, "--agent", "a1")).reasons).toHaveLength(2);
    await asker.data("answer", id, "this");
    expect((await check(asker, "--agent", "a1")).reasons).toMatchObject([{ scope: "agent", id: "a1", reason: "wrong branch" }]);
    const open = await asker.ask("And?", "--agent", "a1");
    expect(await asker.data("resume", "--agent", "a1")).toMatchObject({
      resumed: true,
      still_halted: true,
      reasons: [{ question_id: open }],
    });
    expect((await asker.data("questions")).questions).toHaveLength(1);
    expect(asker.events().map(({ event, who }) => `${event} ${who}`)).toEqual([
      "halted Ada",
      "asked a1",
      "answered human",
      "asked a1",
      "resumed human",
    ]);
  });

  test("has a scope: agent, session, task or all; not two, and not none", async () => {
    const asker = newAsker();
    await asker.data("halt", "--task", "t", "--reason", "x");
    expect([await may(asker, "a"), await may(asker, "a", "--task", "t")]).toEqual([true, false]);
    await asker.data("halt", "--all", "--reason", "x");
    expect(await may(asker, "a")).toBe(false);
    expect((await asker.data("resume", "--all")).still_halted).toBe(false);
    await asker.error("conflicting_flags", "halt", "--all", "--agent", "a", "--reason", "x");
    await asker.error("missing_argument", "halt", "--reason", "x");
    await asker.error("missing_argument", "halt", "--all");
  });
});

describe("check --wait", () => {
  const clearing = async (asker: Asker, agents: string[]) => {
    const waiters = agents.map((agent) => startEnvoy(["check", "--wait", "--agent", agent], { cwd: asker.root }));
    await Promise.all(waiters.map((waiter) => waiter.says(/halted by/)));
    return waiters;
  };

  test("wakes every waiter, by the second answer and not by the first", async () => {
    const asker = newAsker();
    const [first, second] = [await asker.ask("One?", "--agent", "a1"), await asker.ask("Two?", "--agent", "a1")];
    const waiters = await clearing(asker, ["a1", "a1", "a1"]);
    await asker.data("answer", first, "1");
    await asker.data("answer", second, "2");
    for (const waiter of waiters) {
      const { code, json } = await waiter.end;
      expect([code, json.data]).toEqual([0, { cleared: true, reason: "answered", answer: "2" }]);
    }
  });

  test("tells resumption, withdrawal and the end of its time apart", async () => {
    const asker = newAsker();
    expect(await asker.data("check", "--wait")).toEqual({ cleared: true });
    await asker.data("halt", "--agent", "a1", "--reason", "x");
    const [resumed] = await clearing(asker, ["a1"]);
    await asker.data("resume", "--agent", "a1", "--answer", "go");
    expect((await resumed!.end).json.data).toEqual({ cleared: true, reason: "resumed", answer: "go" });
    const id = await asker.ask("One?", "--agent", "a1");
    const [cancelled] = await clearing(asker, ["a1"]);
    await asker.data("withdraw", id);
    expect((await cancelled!.end).json.data).toEqual({ cleared: true, reason: "cancelled" });
    await asker.ask("Two?", "--agent", "a1");
    const { code, json } = await asker.run(["check", "--wait", "--agent", "a1", "--timeout", "100ms"]);
    expect([code, json.data]).toEqual([10, { cleared: false, reason: "timeout" }]);
  });

  test("sees an answer that is only saved in the form", async () => {
    const asker = newAsker();
    const id = await asker.ask("One?", "--agent", "a1");
    const [waiter] = await clearing(asker, ["a1"]);
    asker.save(id, { "answer: |\n  \n": "answer: |\n  this\n", "done: false": "done: true" });
    expect((await waiter!.end).json.data).toEqual({ cleared: true, reason: "answered", answer: "this" });
  });
});

describe("a record whose first fact is not a beginning clears nobody", () => {
  test.each([
    ["questions", "opened"],
    ["halts", "halted"],
  ])("in %s", async (folder, beginning) => {
    const asker = newAsker();
    if (folder === "questions") await asker.ask("May I?");
    else await asker.data("halt", "--all", "--reason", "stop");
    const [id] = readdirSync(asker.file(folder));
    const record = asker.file(`${folder}/${id}/00001.json`);
    const text = readFileSync(record, "utf8");
    for (const damage of [text.replace(`"${beginning}"`, '"begun"'), text.replace('"at":', '"when":'), text.replace('"by":', '"who":')]) {
      expect(damage).not.toBe(text);
      writeFileSync(record, damage);
      expect(await asker.error("invalid_file", "check")).toMatchObject({ code: 4 });
      expect(readFileSync(record, "utf8")).toBe(damage);
    }
  });
});
