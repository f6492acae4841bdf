import { expect, test } from "vitest";
import { newAsker } from "./asking.ts";

test("of many answers at once one wins, and all waiters get that one", async () => {
  const asker = newAsker();
  const waiters = [await asker.waiting("ask", "Which?"), await asker.waiting("ask", "Which?")];
  const [{ question_id: id }] = (await asker.data("questions")).questions;
  waiters.push(await asker.waiting("wait", id));
  const runs = await Promise.all([1, 2, 3, 4, 5].map((n) => asker.run(["answer", id, `answer ${n}`])));
  const won = runs.findIndex(({ code }) => code === 0);
  runs.forEach(({ json, code }, i) => {
    if (i !== won) expect([json.error.type, code]).toEqual(["question_already_answered", 3]);
  });
  const told = await Promise.all(waiters.map(async ({ end }) => (await end).json.data));
  for (const data of told) expect(data).toEqual(told[0]);
  expect(told[0].answer).toBe(`answer ${won + 1}`);
  expect(asker.facts(id).filter(({ type }) => type === "answered")).toHaveLength(1);
  expect(asker.facts(id).filter(({ type }) => type === "tried")).toHaveLength(4);
});

test("an answer that races with a withdrawal and the end of its time leaves exactly one end", async () => {
  const asker = newAsker();
  for (let round = 0; round < 4; round++) {
    const id = await asker.ask(`Round ${round}?`, "--timeout", "300ms", "--on-timeout", "default", "--default", "d");
    await Promise.all([asker.run(["answer", id, "a"]), asker.run(["withdraw", id]), asker.run(["wait", id])]);
    const ends = asker.facts(id).filter(({ type }) => type === "answered" || type === "withdrawn");
    expect(ends).toHaveLength(1);
  }
});

test("several are waited for at once, all of them or the first", async () => {
  const asker = newAsker();
  const [one, two] = [await asker.ask("One?"), await asker.ask("Two?")];
  const all = await asker.waiting("wait", one, two);
  const any = await asker.waiting("wait", one, two, "--any");
  await asker.data("answer", two, "2");
  const { json, code } = await any.end;
  expect([code, json.status]).toEqual([0, "success"]);
  expect(json.data.results).toMatchObject([
    { id: one, status: "pending" },
    { id: two, status: "success", data: { answer: "2" } },
  ]);
  await asker.data("withdraw", one);
  const ended = await all.end;
  expect(ended.code).toBe(3);
  expect(ended.json.data.results).toMatchObject([{ status: "error", error: { type: "gate_cancelled" } }, { status: "success" }]);
});

test("a form that is saved again after the answer changes nothing and is kept", async () => {
  const asker = newAsker();
  const id = await asker.ask("Which?");
  const form = asker.form(id);
  await asker.data("answer", id, "this");
  const { writeFileSync } = await import("node:fs");
  writeFileSync(asker.file(`user_feedback/${id}.yaml`), form.replace("done: false", "done: true"));
  const { stderr } = await asker.run(["check"]);
  expect(stderr).toContain("was saved again");
  expect((await asker.data("wait", id)).answer).toBe("this");
});
