import { QUESTION_STATUSES } from "../schemas/question-words.ts";
import { type Question, takesAnswers } from "../src/questions/question.ts";
import { allQuestions, liveQuestions } from "../src/questions/state.ts";
import { now } from "../src/system/clock.ts";
import { formatDuration } from "../src/system/durations.ts";
import { type Tone, defineCommand } from "./command.ts";
import { choice, text, toggle } from "./flags.ts";
import { openSettledHouse } from "./settled-house.ts";
import { clip } from "./task/rows.ts";

export const command = defineCommand({
  summary: "Questions, the oldest first; by default those that are open",
  flags: {
    status: choice([...QUESTION_STATUSES, "all"], "which; default: open"),
    task: text("of this task", "ID"),
    agent: text("of this agent", "ID"),
    session: text("of this session", "ID"),
    awaiting: toggle("all that an answer would still be taken for, also expired ones"),
  },
  example: "envoy questions --status all --task login",
  async run({ status, task, agent, session, awaiting }, context) {
    const house = await openSettledHouse(context);
    const wanted = status ?? (awaiting ? "all" : "open");
    const found = wanted === "open" || wanted === "expired" || awaiting ? await liveQuestions(house) : await allQuestions(house);
    const questions = found.filter(
      (each) =>
        (wanted === "all" || each.status === wanted) &&
        (!awaiting || takesAnswers(each)) &&
        (task === undefined || each.task_id === task) &&
        (agent === undefined || each.agent_id === agent) &&
        (session === undefined || each.session_id === session),
    );
    return { data: { questions }, table: tableOf(questions) };
  },
});

function tableOf(questions: readonly Question[]) {
  const ago = (at: string) => formatDuration(now().getTime() - Date.parse(at));
  return {
    sparse: true,
    tones: questions.map(({ status }) => (status === "open" ? "wanted" : status === "expired" ? "bad" : "past") as Tone),
    columns: ["id", "status", "type", "asked by", "task", "since", "question", "answer"],
    rows: questions.map((each) => [
      each.question_id,
      each.status,
      each.type,
      each.agent_id,
      each.task_id ?? "",
      ago(each.created_at),
      clip(each.prompt, 60),
      each.answer === undefined ? "" : clip(typeof each.answer === "string" ? each.answer : JSON.stringify(each.answer), 40),
    ]),
    empty: "No such questions.",
  };
}
