import { fieldPaths } from "../src/form/field-paths.ts";
import type { House } from "../src/gate/house.ts";
import type { Look } from "../src/gate/look.ts";
import { waitedFor } from "../src/gate/waiters.ts";
import { type Question, isHaltingNow } from "../src/questions/question.ts";
import { requireQuestion } from "../src/questions/state.ts";
import type { Reply, Table } from "./command.ts";
import { fileOf } from "./gate-reply.ts";

/** A question with its context, its form, whom it halts, and everything that was tried. */
export async function showQuestion(house: House, seen: Look): Promise<Reply> {
  const { gate } = seen;
  const question = await requireQuestion(house, gate.id);
  const open =
    seen.state === "open"
      ? { file: fileOf(house, gate), form: seen.form, issues: seen.marks, fields: fieldPaths(gate.form.description) }
      : {};
  const halted = isHaltingNow(question) ? whoIsHalted(question) : [];
  const waits = (await waitedFor(house)).has(gate.id);
  const data = { ...question, gate_id: gate.id, ...open, agent_waits: waits, halted, result: gate.applied?.result };
  return { data, table: tablesOf(question, { file: "file" in open ? open.file : "", halted }) };
}

function whoIsHalted({ halts, agent_id, session_id }: Question): { scope: string; id?: string }[] {
  return [
    { scope: "agent", id: agent_id },
    ...(halts !== "agent" && session_id !== undefined ? [{ scope: "session", id: session_id }] : []),
    ...(halts === "all" ? [{ scope: "all" }] : []),
  ];
}

function tablesOf(question: Question, { file, halted }: { file: string; halted: { scope: string; id?: string }[] }): Table[] {
  const { expected_answer: expected, answer } = question;
  const asText = (value: unknown) => (value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value));
  const told: [string, string][] = [
    ["id", question.question_id],
    ["status", question.late ? `${question.status}, late` : question.status],
    ["type", question.type],
    ["asked by", question.agent_id],
    ["task", question.task_id ?? ""],
    ["question", question.prompt],
    ["context", question.context ?? ""],
    ["expected", expected.choices ? `${expected.kind}: ${expected.choices.join(", ")}` : expected.kind],
    ["answer", asText(answer)],
    ["answered by", question.answered_by ?? ""],
    ["expires", question.expires_at ?? "never"],
    ["halted by it", halted.map(({ scope, id }) => (id === undefined ? "everyone" : `${scope} ${id}`)).join(", ")],
    ["form", file],
  ];
  const rows = told
    .filter(([, value]) => value !== "")
    .flatMap(([name, value]) => value.split("\n").map((line, i) => [i ? "" : name, line]));
  const history = question.history.map(({ fact, at, by, answer: tried, refused }) => [at, fact, by, asText(tried), asText(refused)]);
  return [
    { columns: ["field", "value"], rows, empty: "" },
    { title: "History", sparse: true, columns: ["at", "what", "by", "answer", "refused"], rows: history, empty: "" },
  ];
}
