import { inOrder } from "../src/system/in-order.ts";
import { openGates } from "../src/gate/settle.ts";
import type { House } from "../src/gate/house.ts";
import { type Question, takesAnswers } from "../src/questions/question.ts";
import { readState } from "../src/questions/state.ts";
import { taskData, taskRows } from "../src/questions/task-view.ts";
import { now } from "../src/system/clock.ts";
import { formatDuration } from "../src/system/durations.ts";
import { type Context, type Table, defineCommand } from "./command.ts";
import { fileOf, quoted } from "./gate-reply.ts";
import { openSettledHouse } from "./settled-house.ts";
import { clip } from "./task/rows.ts";

export const command = defineCommand({
  summary: "What is open and who is halted, the oldest first, each with the one command that moves it on",
  example: "envoy status",
  async run(_input, context) {
    const house = await openSettledHouse(context);
    const typed = typedFrom(context);
    const { questions, halts } = await readState(house);
    const awaiting = (await taskRows(house)).filter(({ human_input }) => human_input !== undefined);
    const rows = awaiting.toSorted((a, b) => inOrder(a.human_input!.awaiting_since, b.human_input!.awaiting_since));
    const data = {
      gates: await gatesOf(house, typed),
      questions: questions.map((question) => questionRow(question, typed)),
      halts: halts.map((halt) => ({ ...halt, age: ageOf(halt.since), next: typed(resuming(halt)) })),
      tasks: rows.map((row) => ({
        ...taskData(row),
        age: ageOf(row.human_input!.awaiting_since),
        next: typed(answering(row.task.task_id)),
      })),
    };
    return { data, table: tablesOf(data) };
  },
});

/** The words that go on from the folder where this ran. */
type Typed = (words: string) => string;
const typedFrom =
  ({ directory }: Context): Typed =>
  (words) =>
    `envoy${directory === undefined ? "" : ` -C ${quoted(directory)}`} ${words}`;

/** An id is clear also where several plans have a form of the same name. */
const answering = (id: string): string => `answer ${id} --edit`;

const ageOf = (at: string) => formatDuration(now().getTime() - Date.parse(at));

async function gatesOf(house: House, typed: Typed) {
  const gates = (await openGates(house, ({ end, opened }) => !end && opened.kind !== "question")).toSorted((a, b) =>
    inOrder(a.opened.at, b.opened.at),
  );
  return gates.map((gate) => ({
    gate: gate.opened.key,
    gate_id: gate.id,
    plan: gate.opened.plan?.name,
    asked_by: gate.opened.asked_by,
    since: gate.opened.at,
    age: ageOf(gate.opened.at),
    file: fileOf(house, gate),
    next: typed(answering(gate.id)),
  }));
}

function questionRow(question: Question, typed: Typed) {
  const { question_id, status, type, prompt, agent_id, session_id, task_id, halts, created_at, expires_at } = question;
  const next = typed(takesAnswers(question) ? answering(question_id) : `withdraw ${question_id}`);
  return {
    question_id,
    status,
    type,
    prompt,
    agent_id,
    session_id,
    task_id,
    halts,
    since: created_at,
    expires_at,
    age: ageOf(created_at),
    next,
  };
}

const resuming = ({ scope, id }: { scope: string; id: string }): string =>
  scope === "all" ? "resume --all" : `resume --${scope} ${quoted(id)}`;

interface Data {
  gates: { gate: string; plan: string | undefined; asked_by: string; age: string; next: string }[];
  questions: ReturnType<typeof questionRow>[];
  halts: { scope: string; id: string; reason: string; halted_by: string; age: string; next: string }[];
  tasks: { next: string; age: string; task_id?: string; title?: string }[];
}

function tablesOf({ gates, questions, halts, tasks }: Data): Table[] {
  const sections: Table[] = [
    {
      title: "Gates",
      columns: ["what", "plan", "asked by", "age", "moved on by"],
      rows: gates.map((row) => [row.gate, row.plan ?? "", row.asked_by, row.age, row.next]),
      empty: "No open forms.",
    },
    {
      title: "Questions",
      columns: ["question", "status", "asked by", "halts", "age", "moved on by"],
      rows: questions.map((row) => [clip(row.prompt, 50), row.status, row.agent_id, row.halts ?? "nobody", row.age, row.next]),
      tones: questions.map(({ status }) => (status === "expired" ? "bad" : "wanted")),
      empty: "No open questions.",
    },
    {
      title: "Halts",
      columns: ["who", "why", "by", "age", "moved on by"],
      rows: halts.map((row) => [
        row.scope === "all" ? "everyone" : `${row.scope} ${row.id}`,
        clip(row.reason, 50),
        row.halted_by,
        row.age,
        row.next,
      ]),
      tones: halts.map(() => "bad"),
      empty: "Nobody is halted by hand.",
    },
    {
      title: "Tasks that await input",
      columns: ["task", "title", "age", "moved on by"],
      rows: tasks.map((row) => [row.task_id ?? "", row.title ?? "", row.age, row.next]),
      tones: tasks.map(() => "wanted"),
      empty: "No task waits.",
    },
  ];
  return sections.filter(({ rows }) => rows.length > 0).length
    ? sections
    : [{ columns: [], rows: [], empty: "Nothing waits for anybody." }];
}
