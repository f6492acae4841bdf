import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TYPED, newAsker } from "./asking.ts";

describe("asking", () => {
  test("waits, and returns what the person saved in the form", async () => {
    const asker = newAsker();
    const waiter = await asker.waiting("ask", "Which database?", "--context", "We need # transactions", "--agent", "a1");
    const [{ question_id: id }] = (await asker.data("questions")).questions;
    expect(asker.form(id)).toMatch(/^# > Which database\?\n# >\n# > We need # transactions$/m);
    asker.save(id, TYPED("Postgres, see PR #12"));
    const { code, json } = await waiter.end;
    expect(code).toBe(0);
    expect(json.data).toMatchObject({
      question_id: id,
      gate_id: id,
      question_status: "answered",
      answer: "Postgres, see PR #12",
      answered_by: "human",
      resumed: true,
    });
    expect(json.data).toHaveProperty("answered_at");
    expect(json.data).toHaveProperty("waited_ms");
    expect(json.data).not.toHaveProperty("proceed");
    expect(asker.events().map(({ event }) => event)).toEqual(["asked", "answered"]);
  });

  test("returns at once with --no-wait, and says what the task resumes to", async () => {
    const asker = newAsker();
    await asker.data("task", "set", "login", "--status", "building");
    const data = await asker.data("ask", "Which?", "--task", "login", "--no-wait");
    expect(data).toMatchObject({ question_status: "open", task_status: "awaiting_input", resume_status: "building" });
    expect(data.file).toBe(asker.file(`user_feedback/${data.question_id}.yaml`));
    expect(data.question_id).toMatch(/^q_[a-z0-9]{10,}$/);
  });

  test("again with the same words is the same question, also when the first asker was killed", async () => {
    const asker = newAsker();
    const first = await asker.waiting("ask", "Which?");
    await first.kill();
    const second = await asker.waiting("ask", "Which?");
    const { questions } = await asker.data("questions");
    expect(questions).toHaveLength(1);
    await second.kill();
    await asker.data("answer", questions[0].question_id, "this");
    expect((await asker.data("ask", "Which?")).answer).toBe("this");
    expect(await asker.ask("Which?")).not.toBe(questions[0].question_id);
    expect(await asker.ask("Which?", "--agent", "other")).not.toBe(await asker.ask("Which?"));
  });

  test("ends with pending, and the command in `resume` goes on", async () => {
    const asker = newAsker();
    const { code, json } = await asker.run(["ask", "Which?", "--wait", "50ms"]);
    expect(code).toBe(75);
    expect(json.data.resume).toBe(`envoy wait ${json.data.question_id} --wait 50ms`);
    await asker.data("answer", json.data.question_id.slice(-6), "that");
    expect((await asker.data("wait", json.data.question_id)).answer).toBe("that");
    expect((await asker.data("wait", json.data.question_id)).answer).toBe("that");
  });

  test.each([
    [["ask", ""], "missing_argument"],
    [["ask", "Q", "--type", "URGENT"], "invalid_argument"],
    [["ask", "Q", "--type", "CLARIFYING", "--halts", "all"], "conflicting_flags"],
    [["ask", "Q", "--confidence", "2"], "invalid_argument"],
    [["ask", "Q", "--choice", "a", "--recommend", "b"], "invalid_argument"],
    [["ask", "Q", "--multi"], "conflicting_flags"],
    [["ask", "Q", "--task", "../etc"], "invalid_argument"],
    [["ask", "Q", "--on-timeout", "default"], "missing_argument"],
    [["ask", "Q", "--kind", "number", "--on-timeout", "default", "--default", "many"], "invalid_argument"],
    [["ask", "Q", "--type", "APPROVAL", "--on-timeout", "default", "--default", "yes"], "conflicting_flags"],
    [["ask", "Q", "--type", "EMERGENCY", "--on-timeout", "default", "--default", "yes"], "conflicting_flags"],
    [["ask", "Q", "--question-type", "permission_override", "--on-timeout", "default", "--default", "yes"], "conflicting_flags"],
    [["ask", "Q", "--question-type", "risk_ack", "--on-timeout", "default", "--default", "yes"], "conflicting_flags"],
    [["questions", "--status", "done"], "invalid_argument"],
  ])("%j is refused as %s", async (args, type) => {
    expect((await newAsker().error(type, ...args)).code).toBe(2);
  });
});

describe("an answer", () => {
  const kinds: [string, string[], [string[], unknown][], string[][]][] = [
    ["text", [], [[["plain words"], "plain words"]], [[""], ["  "]]],
    [
      "boolean",
      ["--kind", "boolean"],
      [
        [["yes"], true],
        [["off"], false],
      ],
      [["maybe"]],
    ],
    ["number", ["--kind", "number"], [[["4.5"], 4.5]], [["four"]]],
    ["json", ["--kind", "json"], [[['{"a":[]}'], { a: [] }]], [["{a:"]]],
    [
      "single_choice",
      ["--choice", "Red", "--choice", "Blue"],
      [
        [["red"], "Red"],
        [["--choice", "Blue"], "Blue"],
      ],
      [["Green"], ["--choice", "Red", "--choice", "Blue"]],
    ],
    [
      "multi_choice",
      ["--choice", "Red", "--choice", "Blue", "--multi"],
      [
        [
          ["--choice", "Blue", "--choice", "Red"],
          ["Red", "Blue"],
        ],
      ],
      [["--choice", "Green"]],
    ],
  ];
  test.each(kinds)(
    "of kind %s is read as meant; anything else leaves form, record and waiters as they were",
    async (kind, flags, good, bad) => {
      const asker = newAsker();
      for (const [given, value] of good) {
        const waiter = await asker.waiting("ask", `About ${JSON.stringify(given)}`, ...flags);
        const [{ question_id: id, expected_answer }] = (await asker.data("questions")).questions;
        expect(expected_answer.kind).toBe(kind);
        const before = [asker.form(id), asker.facts(id)];
        for (const wrong of bad) expect((await asker.error("question_invalid_answer", "answer", id, ...wrong)).code).toBe(4);
        expect([asker.form(id), asker.facts(id)]).toEqual(before);
        await asker.data("respond", id, ...given);
        const { json } = await waiter.end;
        expect(json.data.answer).toEqual(value);
        expect(json.data.proceed).toBe(kind === "boolean" ? value : undefined);
      }
    },
  );

  test("must fit the JSON Schema, in the form and on the command line", async () => {
    const asker = newAsker();
    writeFileSync(
      join(asker.root, "s.json"),
      JSON.stringify({ type: "object", required: ["port"], properties: { port: { type: "integer" } } }),
    );
    const waiter = await asker.waiting("ask", "Where?", "--schema", "s.json");
    const [{ question_id: id }] = (await asker.data("questions")).questions;
    expect((await asker.error("question_invalid_answer", "answer", id, '{"port":"x"}')).issues[0].message).toContain("integer");
    asker.save(id, TYPED('{"port": "x"}'));
    await waiter.says(/handed back/);
    expect(asker.form(id)).toMatch(/# ✗ .*integer/);
    asker.save(id, { '"x"': "80", "done: false": "done: true" });
    expect((await waiter.end).json.data.answer).toEqual({ port: 80 });
  });

  test("in the form chooses several by yes", async () => {
    const asker = newAsker();
    const id = await asker.ask("Which?", "--choice", "A #1", "--choice", "B", "--multi");
    asker.save(id, { '"A #1": false': '"A #1": yes', "done: false": "done: true" });
    expect((await asker.data("wait", id)).answer).toEqual(["A #1"]);
  });

  test("with --set and --done counts like a text, with the person's thoughts", async () => {
    const asker = newAsker();
    const id = await asker.ask("Which?");
    await asker.data("answer", id, "--set", "answer=this", "--set", "thoughts=but soon", "--done", "--answered-by", "Ada");
    expect(await asker.data("wait", id)).toMatchObject({ answer: "this", thoughts: "but soon", answered_by: "Ada" });
  });

  test("from the team's templates, by name", async () => {
    const asker = newAsker();
    const id = await asker.ask("Go?");
    writeFileSync(asker.file("config.yaml"), "human_input:\n  templates: { go: Go ahead as proposed. }\n");
    expect((await asker.error("invalid_argument", "answer", id, "--template", "stop")).message).toContain("go");
    await asker.data("answer", id, "--template", "go");
    expect((await asker.data("wait", id)).answer).toBe("Go ahead as proposed.");
  });

  test("saved while nobody waited is taken by any command", async () => {
    const asker = newAsker();
    const id = await asker.ask("Which?");
    asker.save(id, TYPED("this"));
    expect(await asker.data("check")).toEqual({ can_proceed: true });
    expect((await asker.data("questions", "--status", "answered")).questions).toMatchObject([{ question_id: id, answer: "this" }]);
  });

  test("to what is not there is told so", async () => {
    const asker = newAsker();
    await asker.error("question_not_found", "answer", "q_nothing", "x");
    await asker.data("task", "set", "t");
    expect((await asker.error("task_not_awaiting_input", "answer", "t", "x")).message).toContain("open");
    await asker.error("task_not_found", "task", "show", "nothing");
  });

  test("is not for agents, unless the team says so", async () => {
    const asker = newAsker();
    const env = { ENVOY_AGENT_ID: "a1" };
    const [own, approval] = [await asker.ask("Own?", "--agent", "a1"), await asker.ask("May I?", "--agent", "a1", "--type", "APPROVAL")];
    const other = await asker.ask("Other?", "--agent", "a2");
    await asker.data("halt", "--agent", "a1", "--reason", "stop");
    for (const args of [
      ["answer", own, "x"],
      ["withdraw", approval],
      ["withdraw", other],
      ["resume", "--agent", "a1"],
    ]) {
      const { code, json } = await asker.run(args, { env });
      expect(json.error.type).toBe("agent_may_not_answer");
      expect(code).toBe(3);
    }
    expect((await asker.run(["withdraw", own], { env })).code).toBe(0);
    writeFileSync(asker.file("config.yaml"), "human_input: { agents_may_answer: true }\n");
    expect((await asker.run(["answer", other, "x"], { env })).code).toBe(0);
  });
});

describe("an operation id", () => {
  test("replays the first reply byte for byte, from any process, and refuses another payload", async () => {
    const asker = newAsker();
    const ask = ["ask", "Which?", "--operation-id", "op/1", "--no-wait"];
    const first = await asker.run(ask);
    await asker.data("answer", first.json.data.question_id, "this", "--operation-id", "op/2");
    expect((await asker.run(ask)).stdout).toBe(first.stdout);
    expect((await asker.error("operation_id_mismatch", "ask", "What?", "--operation-id", "op/1", "--no-wait")).code).toBe(2);
    const answered = await asker.run(["answer", first.json.data.question_id, "this", "--operation-id", "op/2"]);
    expect(answered.json.data.question_status).toBe("answered");
    await asker.error("operation_id_mismatch", "answer", first.json.data.question_id, "that", "--operation-id", "op/2");
    expect((await asker.data("show", first.json.data.question_id)).operation_ids).toEqual(["op/1", "op/2"]);
  });

  test("leads a killed asker back to the same question and its answer", async () => {
    const asker = newAsker();
    const args = ["ask", "Which?", "--operation-id", "k"];
    const first = await asker.waiting(...args);
    await first.kill();
    const [{ question_id: id }] = (await asker.data("questions")).questions;
    await asker.data("answer", id, "this");
    expect((await asker.data("wait", id)).answer).toBe("this");
    const again = await asker.run(args);
    expect(again.json.data).toMatchObject({ question_id: id, answer: "this" });
    expect((await asker.run(args)).stdout).toBe(again.stdout);
  });
});

test("human input that is switched off asks nobody", async () => {
  const asker = newAsker();
  await asker.data("task", "set", "t");
  writeFileSync(asker.file("config.yaml"), "human_input: { enabled: false }\n");
  expect((await asker.error("unsupported_operation", "ask", "Q")).code).toBe(3);
});

test("mistakes in the configuration are all told, with line and column", async () => {
  const asker = newAsker();
  await asker.data("task", "set", "t");
  writeFileSync(asker.file("config.yaml"), "human_input:\n  timeout: soon\n  colour: red\n");
  const { issues, code } = await asker.error("invalid_file", "ask", "Q");
  expect(code).toBe(4);
  expect(issues.map(({ line }: { line: number }) => line).sort()).toEqual([2, 3]);
});
