import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { git } from "../support/project.ts";
import { newAsker } from "./asking.ts";

describe("a task", () => {
  test("awaits input while a blocking question is open, and resumes exactly where it was", async () => {
    const asker = newAsker();
    await asker.data("task", "set", "login", "--title", "Login", "--status", "building", "--priority", "P1");
    const id = await asker.ask(
      "Which?",
      "--task",
      "login",
      "--agent",
      "a1",
      "--session",
      "s1",
      "--role",
      "builder",
      "--context",
      "Two ways",
    );
    const shown = await asker.data("task", "show", "login");
    expect(shown).toMatchObject({
      status: "awaiting_input",
      activity_state: "waiting_input",
      agent_id: "a1",
      session_id: "s1",
      human_input: { open_question_id: id, open_question_count: 1, requested_by_role: "builder", resume_status: "building" },
      open_question: { prompt: "Which?", context: "Two ways" },
    });
    await asker.error("invalid_argument", "task", "set", "login", "--status", "awaiting_input");
    expect(await asker.data("task", "set", "login", "--status", "qa")).toMatchObject({
      task_status: "awaiting_input",
      resume_status: "qa",
    });
    expect((await asker.data("task", "list", "--awaiting")).tasks).toMatchObject([
      { task_id: "login", human_input: { open_question_id: id } },
    ]);
    expect((await asker.data("status")).tasks).toMatchObject([{ task_id: "login", next: "envoy answer login --edit" }]);
    await asker.data("answer", "login", "this");
    expect(await asker.data("task", "show", "login")).toMatchObject({ status: "qa", questions: [{ question_id: id, answer: "this" }] });
    expect(readFileSync(asker.file("tasks/login/00003.json"), "utf8")).not.toContain("awaiting_input");
  });

  test("is not changed by a question that halts nobody", async () => {
    const asker = newAsker();
    const data = await asker.data("ask", "Which?", "--task", "t", "--type", "CLARIFYING", "--timeout", "1ms", "--no-wait");
    expect(data.task_status).toBe("open");
    expect(await asker.data("task", "show", "t")).toMatchObject({ status: "open", questions: [{ status: "expired" }] });
  });

  test("takes only so many blocking questions at once, also from agents that ask at the same moment", async () => {
    const asker = newAsker();
    const runs = await Promise.all([1, 2, 3, 4].map((n) => asker.run(["ask", `Q${n}?`, "--task", "t", "--no-wait"])));
    expect(runs.filter(({ code }) => code === 0)).toHaveLength(1);
    for (const { json, code } of runs.filter(({ code }) => code !== 0))
      expect([json.error.type, code]).toEqual(["question_conflict_open", 3]);
    await asker.ask("Not blocking?", "--task", "t", "--type", "PREFERENCE");
    writeFileSync(asker.file("config.yaml"), "human_input: { max_open_questions_per_task: 2 }\n");
    await asker.ask("Second?", "--task", "t");
    await asker.error("question_conflict_open", "ask", "Third?", "--task", "t");
  });

  test("that ends withdraws its open questions and keeps their history", async () => {
    const asker = newAsker();
    const id = await asker.ask("Which?", "--task", "t");
    expect((await asker.data("task", "set", "t", "--status", "merged")).withdrawn_questions).toEqual([id]);
    expect(await asker.data("show", id)).toMatchObject({ status: "withdrawn", history: [{ fact: "opened" }, { fact: "withdrawn" }] });
    expect(await asker.data("check")).toEqual({ can_proceed: true });
    expect((await asker.run(["wait", id])).json.error.type).toBe("gate_cancelled");
    await asker.error("question_answer_not_allowed_in_terminal_state", "answer", id, "x");
    await asker.error("gate_ended", "withdraw", id);
  });

  test("with a stored status that cannot be read resumes as planning, and says why", async () => {
    const asker = newAsker();
    await asker.data("task", "set", "t", "--status", "qa");
    const fact = asker.file("tasks/t/00001.json");
    writeFileSync(fact, readFileSync(fact, "utf8").replace('"qa"', '"testing"'));
    const id = await asker.ask("Which?", "--task", "t");
    expect(await asker.data("task", "show", "t")).toMatchObject({
      resume_status: "planning",
      resume_reason: expect.stringContaining("testing"),
    });
    expect(await asker.data("answer", id, "x")).toMatchObject({ task_status: "planning" });
  });
});

describe("a worker's result", () => {
  test("that needs input becomes a blocking question and touches no code", async () => {
    const asker = newAsker();
    git(asker.root, "commit", "-q", "--allow-empty", "-m", "first");
    writeFileSync(`${asker.root}/work.txt`, "unfinished");
    const before = [git(asker.root, "rev-parse", "HEAD"), git(asker.root, "status", "--short")];
    await asker.data("task", "set", "t", "--status", "building");
    const input = JSON.stringify({
      status: "needs_input",
      question: "Which key?",
      questionContext: "Two exist",
      summary: "Stuck",
      issues: ["a"],
    });
    const { stderr, json } = await asker.run(["agent-result", "--task", "t"], { input });
    expect(stderr).toContain("❓ Task t needs human input");
    expect(json.data).toMatchObject({ handled: true, task_status: "awaiting_input", resume_status: "building" });
    expect((await asker.run(["agent-result", "--task", "t"], { input })).json.data.question_id).toBe(json.data.question_id);
    expect(await asker.data("task", "show", "t")).toMatchObject({
      report: { summary: "Stuck", issues: ["a"] },
      open_question: { context: "Two exist" },
    });
    expect([git(asker.root, "rev-parse", "HEAD"), git(asker.root, "status", "--short")]).toEqual(before);
  });

  test.each([
    [
      "summary stands for the question",
      { status: "needs_input", summary: "Which?" },
      { question_status: "open", task_status: "awaiting_input" },
    ],
    ["completed", { status: "completed", summary: "Done" }, { task_status: "closed" }],
    ["failed", { status: "failed" }, { task_status: "failed" }],
    ["blocked", { status: "blocked" }, { task_status: "blocked" }],
    [
      "a request",
      {
        type: "REQUEST",
        request: { action: "ask_user_input", prompt: "May I?", question_type: "risk_ack", expected_answer: { kind: "boolean" } },
      },
      { task_status: "awaiting_input" },
    ],
    [
      "a request that does not block",
      { type: "REQUEST", request: { action: "ask_user_input", prompt: "Which?", blocking: false } },
      { task_status: "open", question_status: "open" },
    ],
    ["an unknown action", { type: "REQUEST", request: { action: "order_pizza" } }, { handled: false, action: "order_pizza" }],
  ])("%s", async (_name, result, expected) => {
    const { code, json } = await newAsker().run(["agent-result", "--task", "t"], { input: JSON.stringify(result) });
    expect(json.data).toMatchObject(expected);
    expect(code).toBe(0);
  });

  test.each(["All done!", '{"status":"needs_input"}', '{"status":"finished"}', "[]", "null", '{"type":"REQUEST"}'])(
    "%s is an error, never a success",
    async (input) => {
      const asker = newAsker();
      const { code, json } = await asker.run(["agent-result", "--task", "t"], { input });
      expect([code, json.error.type]).toEqual([4, "invalid_input"]);
      await asker.error("task_not_found", "task", "show", "t");
    },
  );
});

describe("the context for a resumed agent", () => {
  test("holds question, context and answer, and an answer that was taken is not fed in again", async () => {
    const asker = newAsker();
    const id = await asker.ask("Which key?", "--task", "t", "--context", "Two exist");
    expect((await asker.data("context", "--task", "t")).human_input.open_questions).toMatchObject([{ question_id: id }]);
    await asker.data("answer", id, "The new one\n# not a heading");
    expect((await asker.data("task", "list", "--resumable")).tasks).toMatchObject([{ task_id: "t" }]);
    const takes = await Promise.all([1, 2, 3].map(() => asker.data("context", "--task", "t", "--take")));
    expect(takes.filter(({ taken }) => taken?.length)).toHaveLength(1);
    const { human_input, prompt_section } = takes.find(({ taken }) => taken)!;
    expect(human_input.latest_answer).toMatchObject({ question_id: id, answer: "The new one\n# not a heading" });
    for (const words of ["> Which key?", "> Two exist", "> The new one\n> # not a heading", "Go on"])
      expect(prompt_section).toContain(words);
    expect(await asker.data("task", "list", "--resumable")).toEqual({});
    const later = await asker.data("context", "--task", "t", "--take");
    expect(later).not.toHaveProperty("prompt_section");
    expect(later.human_input).not.toHaveProperty("latest_answer");
    expect(later.human_input.answers).toHaveLength(1);
  });

  test("keeps as many answers as configured, three by default", async () => {
    const asker = newAsker();
    for (const n of [1, 2, 3, 4]) await asker.data("answer", await asker.ask(`Q${n}?`, "--task", "t"), `${n}`);
    const answers = async () =>
      (await asker.data("context", "--task", "t")).human_input.answers.map(({ answer }: { answer: string }) => answer);
    expect(await answers()).toEqual(["2", "3", "4"]);
    writeFileSync(asker.file("config.yaml"), "human_input: { context_answer_history_limit: 1 }\n");
    expect(await answers()).toEqual(["4"]);
  });

  test("an answer that its asker waited for was taken by it", async () => {
    const asker = newAsker();
    const waiter = await asker.waiting("ask", "Which?", "--task", "t");
    await asker.data("answer", "t", "this");
    await waiter.end;
    expect(await asker.data("task", "list", "--resumable")).toEqual({});
  });
});
