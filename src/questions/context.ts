// What a resumed agent needs to know: what was asked, what the person said, and to go on with it.
import { inOrder } from "../system/in-order.ts";
import type { House } from "../gate/house.ts";
import type { Question } from "./question.ts";
import { addToTask, questionsOf, requireTask } from "./task-records.ts";

export interface TaskContext {
  human_input: { open_questions: object[]; latest_answer?: object; answers: object[] };
  /** For the agent's prompt; empty where there is nothing new. */
  prompt_section: string;
  taken: string[];
}

/** With `take` the new answers are this caller's: nobody is fed with them again. */
export async function taskContext(house: House, id: string, { limit, take }: { limit: number; take: boolean }): Promise<TaskContext> {
  const task = await requireTask(house, id);
  const questions = await questionsOf(house, task);
  const answered = questions.filter(({ status }) => status === "answered").toSorted(byAnswer);
  const untaken = answered.filter(({ question_id }) => !task.taken.has(question_id));
  const fresh = take ? await takeAnswers(house, id, untaken) : untaken;
  const open = questions.filter(({ status }) => status === "open");
  const latest = fresh.at(-1);
  return {
    human_input: {
      open_questions: open.map(asked),
      ...(latest ? { latest_answer: said(latest) } : {}),
      answers: limit === 0 ? [] : answered.slice(-limit).map(said),
    },
    prompt_section: fresh.length ? section(fresh) : "",
    taken: take ? fresh.map(({ question_id }) => question_id) : [],
  };
}

/** Of two that take at once, each answer goes to one. */
async function takeAnswers(house: House, id: string, fresh: readonly Question[]): Promise<Question[]> {
  let mine: Question[] = [];
  await addToTask(house, id, (task) => {
    mine = fresh.filter(({ question_id }) => !task?.taken.has(question_id));
    return mine.length ? { type: "taken", question_ids: mine.map(({ question_id }) => question_id) } : undefined;
  });
  return mine;
}

const byAnswer = (a: Question, b: Question) => inOrder(a.answered_at!, b.answered_at!);

const asked = ({ question_id, prompt, context, created_at, agent_id, role, type }: Question) => ({
  question_id,
  prompt,
  context,
  type,
  created_at,
  agent_id,
  role,
});
const said = ({ question_id, prompt, context, answer, answered_at, answered_by, late }: Question) => ({
  question_id,
  prompt,
  context,
  answer,
  answered_at,
  answered_by,
  late,
});

function section(questions: readonly Question[]): string {
  const parts = questions.map(({ prompt, context, answer, answered_at, answered_by, late }) =>
    [
      `### You asked\n\n${quoted(prompt)}`,
      ...(context ? [`Your own context for it:\n\n${quoted(context)}`] : []),
      `### ${answered_by === "policy" ? "Nobody answered in time, so the default counts" : "The answer"} (${answered_at}${late ? ", late" : ""})\n\n${quoted(typeof answer === "string" ? answer : JSON.stringify(answer))}`,
    ].join("\n\n"),
  );
  return `## Human input\n\n${parts.join("\n\n")}\n\nGo on from where you stopped, with this answer; do not ask the same again.\n`;
}
/** Quoted, so that no line of it passes for a heading of ours. */
const quoted = (text: string) => text.replace(/^/gm, "> ").replace(/ +$/gm, "");
