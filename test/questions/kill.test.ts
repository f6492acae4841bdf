import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { newAsker } from "./asking.ts";

const MOST_STEPS = 200;

test("an asker that is killed at any step and asks again has asked one question", async () => {
  for (let step = 1; step < MOST_STEPS; step++) {
    const asker = newAsker();
    const { signal } = await asker.run(["ask", "Which?", "--task", "t", "--no-wait"], { env: { ENVOY_FAILPOINT: `#${step}=kill` } });
    const id = await asker.ask("Which?", "--task", "t");
    expect((await asker.data("questions")).questions).toMatchObject([{ question_id: id }]);
    expect((await asker.data("task", "show", "t")).human_input.open_question_id).toBe(id);
    if (signal === null) return;
  }
  expect.unreachable("the asker never came to its end");
}, 300_000);

test("an answerer that is killed at any step has answered fully or not at all, and the same answer can be given again", async () => {
  for (let step = 1; step < MOST_STEPS; step++) {
    const asker = newAsker();
    const id = await asker.ask("Which?", "--task", "t");
    const { signal } = await asker.run(["answer", id, "this", "--operation-id", "k"], { env: { ENVOY_FAILPOINT: `#${step}=kill` } });
    const halted = (await asker.run(["check"])).code === 10;
    expect((await asker.data("questions", "--status", "all")).questions).toMatchObject([{ status: halted ? "open" : "answered" }]);
    expect((await asker.data("answer", id, "this", "--operation-id", "k")).question_status).toBe("answered");
    expect((await asker.data("wait", id)).answer).toBe("this");
    expect(asker.facts(id).filter(({ type }) => type === "answered")).toHaveLength(1);
    expect(readFileSync(asker.file("events.jsonl"), "utf8")).toContain('"answered"');
    if (signal === null) return;
  }
  expect.unreachable("the answerer never came to its end");
}, 300_000);
