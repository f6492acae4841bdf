// Tasks as people and dashboards read them.
import { inOrder } from "../system/in-order.ts";
import type { House } from "../gate/house.ts";
import { type Question, byAge } from "./question.ts";
import { liveQuestions, readQuestion } from "./state.ts";
import { allTasks, questionsOf, requireTask } from "./task-records.ts";
import { type DerivedTask, type Task, deriveTask } from "./tasks.ts";

export interface TaskRow extends DerivedTask {
  task: Task;
  /** The open question that it waits for. */
  question?: Question;
}

export async function taskRows(house: House): Promise<TaskRow[]> {
  const [tasks, questions] = await Promise.all([allTasks(house), liveQuestions(house)]);
  return tasks.map((task) => rowOf(task, questions)).toSorted((a, b) => inOrder(a.task.created_at, b.task.created_at));
}

function rowOf(task: Task, live: readonly Question[]): TaskRow {
  const derived = deriveTask(task, live);
  const question = live.find(({ question_id }) => question_id === derived.human_input?.open_question_id);
  return { task, ...derived, ...(question ? { question } : {}) };
}

/** Tasks with an answer that no worker has taken, and that wait for no other. */
export async function isResumable(house: House, { task, status }: TaskRow): Promise<boolean> {
  return status !== "awaiting_input" && (await untakenAnswers(house, task)).length > 0;
}

async function untakenAnswers(house: House, task: Task): Promise<Question[]> {
  const candidates = task.asked.filter((id) => !task.taken.has(id));
  const questions = await Promise.all(candidates.map((id) => readQuestion(house, id)));
  return questions.filter((question) => question !== undefined).filter(({ status }) => status === "answered");
}

export function taskData({ task, question: _question, ...derived }: TaskRow): object {
  const { task_id, title, parent, priority, size, dir, created_at, agent_id, session_id, report, unreadable } = task;
  return {
    task_id,
    title,
    ...derived,
    parent,
    priority,
    size,
    dir,
    created_at,
    agent_id,
    session_id,
    report,
    ...(unreadable ? { resume_reason: unreadable } : {}),
  };
}

/** One task with all that was ever asked about it. */
export async function showTask(house: House, id: string): Promise<object> {
  const task = await requireTask(house, id);
  const questions = (await questionsOf(house, task)).toSorted(byAge);
  const row = rowOf(task, questions);
  const brief = ({ question_id, status, prompt, context, answer, answered_at, answered_by, created_at, agent_id, role }: Question) => ({
    question_id,
    status,
    prompt,
    context,
    answer,
    answered_at,
    answered_by,
    created_at,
    agent_id,
    role,
    taken: status === "answered" ? task.taken.has(question_id) : undefined,
  });
  const earlier = questions.filter((question) => question !== row.question);
  return { ...taskData(row), open_question: row.question, questions: earlier.map(brief) };
}
