// Answering a question: where the answer comes from, and what is told once it is taken.
import { EnvoyError } from "../schemas/errors.ts";
import type { House } from "../src/gate/house.ts";
import { newGateId } from "../src/gate/open.ts";
import { answerQuestion } from "../src/questions/answer.ts";
import { standingAfter } from "../src/questions/consequences.ts";
import { beginOperation, recordReply } from "../src/questions/operations.ts";
import { type Question, takesAnswers } from "../src/questions/question.ts";
import { readQuestion, requireQuestion } from "../src/questions/state.ts";
import { derivedTask } from "../src/questions/task-records.ts";
import type { Config } from "../src/stores/config.ts";
import type { Context, Reply } from "./command.ts";

export interface AnswerInput {
  text: string | undefined;
  choice: string[];
  set: { path: string; value: string }[];
  done: boolean;
  edit: boolean;
  template: string | undefined;
  "answered-by": string | undefined;
  "operation-id": string | undefined;
}

export async function answerTo(
  house: House,
  id: string,
  { input, context, settings }: { input: AnswerInput; context: Context; settings: Config["human_input"] },
): Promise<Reply> {
  const operationId = input["operation-id"];
  const answeredBy = input["answered-by"] ?? "human";
  const run = async () => {
    const { answer, thoughts } = await givenAnswer(house, id, { input, context, settings });
    const given = { answer, answeredBy, ...(thoughts ? { thoughts } : {}), ...(operationId === undefined ? {} : { operationId }) };
    return { data: await taken(house, id, given), exitCode: 0 };
  };
  if (operationId === undefined) return run();
  const payload = ["answer", id, input.text, input.choice, input.set, input.template, answeredBy];
  const { replied } = await beginOperation(house, { id: operationId, payload, candidate: newGateId("q_") });
  if (replied) return replied;
  return recordReply(house, operationId, await run());
}

type Given = Parameters<typeof answerQuestion>[2];

/** An answer that this very operation gave before it was interrupted is no other answer. */
async function taken(house: House, id: string, given: Given): Promise<object> {
  try {
    const gate = await answerQuestion(house, id, given);
    const { task_status, resumed } = gate.applied!.result!;
    const late = gate.end?.type === "answered" && gate.end.answer.late ? { late: true } : {};
    return { question_id: id, question_status: "answered", task_status, resumed, ...late };
  } catch (error) {
    if (!(error instanceof EnvoyError && error.type === "question_already_answered")) throw error;
    const question = await requireQuestion(house, id);
    const own = question.history.some(({ fact, operation_id }) => fact === "answered" && operation_id === given.operationId);
    if (given.operationId === undefined || !own) throw error;
    return { question_id: id, question_status: "answered", ...(await standingAfter(house, question)) };
  }
}

async function givenAnswer(
  house: House,
  id: string,
  { input, context, settings }: { input: AnswerInput; context: Context; settings: Config["human_input"] },
): Promise<{ answer: unknown; thoughts?: string }> {
  const { text, choice, set, template, edit } = input;
  const ways = [text !== undefined, choice.length > 0, set.length > 0, template !== undefined, edit].filter(Boolean);
  if (ways.length > 1)
    throw new EnvoyError("conflicting_flags", { flags: "A text, --choice, --set, --template and --edit", command: "answer" });
  if (text !== undefined) return { answer: text };
  if (choice.length) return { answer: choice };
  if (set.length) return fromSets(id, set);
  if (template !== undefined) return { answer: templateText(template, settings.templates) };
  const question = await requireQuestion(house, id);
  const { askOnTerminal, editAnswer } = await import("./answer-terminal.ts");
  if (edit) return { answer: await editAnswer(house, question, context) };
  const typed = await askOnTerminal(question, context);
  if (typed === undefined)
    throw new EnvoyError("missing_argument", { name: "an answer", command: "answer", rule: "a text, --choice, --template or --edit" });
  return { answer: typed };
}

function fromSets(id: string, sets: AnswerInput["set"]): { answer: unknown; thoughts?: string } {
  const value = (path: string) => sets.find((each) => each.path === path)?.value;
  const other = sets.find(({ path }) => path !== "answer" && path !== "thoughts");
  if (other)
    throw new EnvoyError("unknown_field", { gate: id, issues: [{ path: other.path, message: "A question has `answer` and `thoughts`." }] });
  return { answer: value("answer") ?? "", ...(value("thoughts") ? { thoughts: value("thoughts")! } : {}) };
}

function templateText(name: string, templates: Record<string, string>): string {
  const found = Object.hasOwn(templates, name) ? templates[name] : undefined;
  if (found !== undefined) return found;
  const known = Object.keys(templates);
  const rule = known.length ? `one of ${known.join(", ")}` : "a template of human_input.templates in config.yaml, which has none";
  throw new EnvoyError("invalid_argument", { name: "--template", given: name, rule, command: "answer" });
}

/** A task stands for the question that it waits for. */
export async function questionOfTask(house: House, id: string): Promise<string | undefined> {
  const derived = await derivedTask(house, id);
  if (!derived) return undefined;
  const late = async () => {
    const asked = await Promise.all(derived.task.asked.map((each) => readQuestion(house, each)));
    return asked.findLast((each): each is Question => each !== undefined && each.blocking && takesAnswers(each))?.question_id;
  };
  const open = derived.human_input?.open_question_id ?? (await late());
  if (open === undefined) throw new EnvoyError("task_not_awaiting_input", { task_id: id, status: derived.status });
  return open;
}
