import { describe, expect, test } from "vitest";
import { type Asker, TYPED, newAsker } from "./asking.ts";

/** Asks with a short time and waits until the asker says that it is over. */
async function expired(asker: Asker, policy: string, ...flags: string[]): Promise<string> {
  const { code, json } = await asker.run(["ask", "Now?", "--agent", "a1", "--timeout", "200ms", "--on-timeout", policy, ...flags]);
  expect(json.error?.type).toBe("question_expired");
  expect(code).toBe(124);
  return (await asker.data("questions", "--status", "expired")).questions[0].question_id;
}
const halted = async (asker: Asker) => (await asker.run(["check", "--agent", "a1"])).json.data.can_proceed === false;
const taskStatus = async (asker: Asker) => (await asker.data("task", "show", "t")).status;

describe("a question that nobody answers in time", () => {
  test("with block keeps the agent halted and the task blocked; a late answer resumes everything", async () => {
    const asker = newAsker();
    await asker.data("task", "set", "t", "--status", "building");
    const id = await expired(asker, "block", "--task", "t");
    expect(await halted(asker)).toBe(true);
    expect(await taskStatus(asker)).toBe("blocked");
    expect((await asker.run(["wait", id])).code).toBe(124);
    expect(await asker.data("answer", id, "late")).toMatchObject({ late: true, resumed: true, task_status: "building" });
    expect(await halted(asker)).toBe(false);
    expect(await asker.data("wait", id)).toMatchObject({ late: true, answer: "late" });
    const [{ at }, ...more] = asker.events().filter(({ event }) => event === "expired");
    expect(more).toEqual([]);
    expect(at).toBe((await asker.data("show", id)).expires_at);
  });

  test("with defer halts nobody, and still takes a late answer, also in the form", async () => {
    const asker = newAsker();
    const id = await expired(asker, "defer", "--task", "t");
    expect(await halted(asker)).toBe(false);
    expect(await taskStatus(asker)).toBe("deferred");
    asker.save(id, TYPED("late"));
    expect(await asker.data("wait", id)).toMatchObject({ late: true, answer: "late" });
    expect(await taskStatus(asker)).toBe("open");
  });

  test("with fail halts until it is withdrawn, fails the task, and only keeps later answers", async () => {
    const asker = newAsker();
    const id = await expired(asker, "fail", "--task", "t");
    expect(await halted(asker)).toBe(true);
    expect(await taskStatus(asker)).toBe("failed");
    expect((await asker.error("question_answer_not_allowed_in_terminal_state", "answer", id, "late")).code).toBe(3);
    asker.save(id, TYPED("late in the form"));
    expect((await asker.run(["wait", id])).code).toBe(124);
    expect(asker.form(id)).toContain("# ✗ The time for this question is over.");
    const { history, status } = await asker.data("show", id);
    expect(status).toBe("expired");
    expect(history.map(({ fact }: { fact: string }) => fact)).toEqual(["opened", "expired", "tried", "handed_back"]);
    expect(history[2]).toMatchObject({ answer: "late", refused: "question_answer_not_allowed_in_terminal_state" });
    expect(history[3].saved).toContain("late in the form");
    await asker.data("withdraw", id);
    expect(await halted(asker)).toBe(false);
    expect(await taskStatus(asker)).toBe("failed");
  });

  test("with fail and without a task refuses later answers as expired", async () => {
    const asker = newAsker();
    const id = await expired(asker, "fail");
    expect((await asker.error("question_expired", "answer", id, "late")).code).toBe(124);
    expect(await halted(asker)).toBe(true);
  });

  test("with default is answered by the policy", async () => {
    const asker = newAsker();
    const given = ["--choice", "wait", "--choice", "go", "--on-timeout", "default", "--default", "Go"];
    const data = await asker.data("ask", "Now?", "--agent", "a1", "--task", "t", "--timeout", "200ms", ...given);
    expect(data).toMatchObject({ answer: "go", answered_by: "policy", question_status: "answered", task_status: "open", resumed: true });
    expect(await halted(asker)).toBe(false);
    await asker.error("question_already_answered", "answer", data.question_id, "wait");
    expect((await asker.data("show", data.question_id)).history.at(-1)).toMatchObject({
      fact: "tried",
      refused: "question_already_answered",
    });
  });

  test("is expired for every reader at once, though no command has recorded it", async () => {
    const asker = newAsker();
    const id = await asker.ask("Now?", "--timeout", "1ms", "--on-timeout", "defer");
    expect((await asker.data("questions", "--status", "expired")).questions).toMatchObject([{ question_id: id, status: "expired" }]);
    expect(asker.facts(id).at(-1)).toMatchObject({ type: "expired", expired_at: asker.facts(id)[0].deadline });
  });

  test("but was saved in time has its answer in time, whenever that is noticed", async () => {
    const asker = newAsker();
    const id = await asker.ask("Now?", "--timeout", "600ms", "--on-timeout", "fail");
    asker.save(id, TYPED("in time"));
    const done = Date.parse(asker.facts(id)[0].deadline);
    const { setDeadline } = await import("../../src/system/clock.ts");
    await new Promise<void>((over) => setDeadline(new Date(done), over));
    const data = await asker.data("wait", id);
    expect(data.answer).toBe("in time");
    expect(data).not.toHaveProperty("late");
  });

  test("and is asked again begins a new period; the answer is then in time", async () => {
    const asker = newAsker();
    const id = await expired(asker, "block");
    expect(await asker.ask("Now?", "--agent", "a1")).toBe(id);
    expect(await asker.data("answer", id, "yes")).not.toHaveProperty("late");
  });
});
