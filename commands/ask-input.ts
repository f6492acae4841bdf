// From the flags of `envoy ask` to the question they describe.
import { EnvoyError } from "../schemas/errors.ts";
import { isHalting, isTaskId, mayDefault, reachOf, TASK_ID_RULE } from "../schemas/question-words.ts";
import type { AskedFor, QuestionType, Role, TimeoutPolicy } from "../schemas/question-words.ts";
import { readAnswer } from "../src/questions/answers.ts";
import type { Who } from "../src/questions/halts.ts";
import type { ExpectedAnswer, QuestionSubject } from "../src/questions/question.ts";
import type { Context } from "./command.ts";
import { readInput } from "./read-input.ts";

export interface AskInput {
  question: string;
  type: QuestionType | undefined;
  halts: "session" | "all" | undefined;
  "question-type": AskedFor | undefined;
  role: Role | undefined;
  context: string | undefined;
  details: string | undefined;
  confidence: string | undefined;
  choice: string[];
  multi: boolean;
  recommend: string | undefined;
  kind: "text" | "boolean" | "number" | "json" | undefined;
  schema: string | undefined;
  default: string | undefined;
  "on-timeout": TimeoutPolicy | undefined;
}

const command = "ask";
const wrong = (name: string, given: string, rule: string) => new EnvoyError("invalid_argument", { name, given, rule, command });
const excluded = (flags: string) => new EnvoyError("conflicting_flags", { flags, command });

export async function subjectFrom(
  input: AskInput,
  who: Who,
  { context, onTimeout }: { context: Context; onTimeout: TimeoutPolicy },
): Promise<QuestionSubject> {
  const { type = "BLOCKING", halts, recommend } = input;
  if (halts && !isHalting(type)) throw excluded(`--halts and --type ${type}, which halts nobody,`);
  if (who.task !== undefined && !isTaskId(who.task)) throw wrong("--task", who.task, TASK_ID_RULE);
  const expected = await expectedFrom(input, context);
  if (recommend !== undefined && !expected.choices?.includes(recommend)) throw wrong("--recommend", recommend, "one of the choices");
  const about = await longContext(input.context, context);
  return {
    prompt: input.question,
    type,
    halts: reachOf(type, halts),
    agent_id: who.agent,
    expected_answer: expected,
    on_timeout: onTimeout,
    ...(await defaultFrom(input, { expected, type, onTimeout })),
    ...present({
      session_id: who.session,
      task_id: who.task,
      question_type: input["question-type"],
      role: input.role,
      context: about,
      details: detailsFrom(input.details),
      confidence: confidenceFrom(input.confidence),
      recommended: recommend,
    }),
  };
}

export const present = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

async function expectedFrom({ choice, multi, kind, schema }: AskInput, context: Context): Promise<ExpectedAnswer> {
  if (choice.length) {
    if (kind || schema) throw excluded("--choice and --kind or --schema");
    const odd = choice.find((each, i) => each.trim() === "" || /[\r\n]/.test(each) || each.length > 200 || choice.indexOf(each) !== i);
    if (odd !== undefined) throw wrong("--choice", odd, "a text of one line, at most 200 characters, given once");
    return { kind: multi ? "multi_choice" : "single_choice", choices: choice };
  }
  if (multi) throw excluded("--multi and a question without --choice");
  if (schema === undefined) return { kind: kind ?? "text" };
  return { kind: kind ?? "json", schema: schemaFrom(schema, (await readInput(schema, context))!) };
}

function schemaFrom(file: string, text: string): Record<string, unknown> {
  const schema = jsonOr(text, () => wrong("--schema", file, "a file with a JSON Schema"));
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) throw wrong("--schema", file, "a file with a JSON Schema");
  return schema as Record<string, unknown>;
}

/** `@file` and `-` as elsewhere; anything else is the text itself. */
async function longContext(given: string | undefined, context: Context): Promise<string | undefined> {
  if (given === "-") return readInput("-", context);
  return given?.startsWith("@") ? readInput(given.slice(1), context) : given;
}

const detailsFrom = (given: string | undefined): unknown =>
  given === undefined ? undefined : jsonOr(given, () => wrong("--details", given, "JSON"));

function jsonOr(text: string, error: () => EnvoyError): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw error();
  }
}

function confidenceFrom(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const number = Number(given);
  if (given.trim() === "" || !(number >= 0 && number <= 1)) throw wrong("--confidence", given, "a number from 0 to 1");
  return number;
}

async function defaultFrom(
  input: AskInput,
  { expected, type, onTimeout }: { expected: ExpectedAnswer; type: QuestionType; onTimeout: TimeoutPolicy },
): Promise<{ default?: unknown }> {
  const given = input.default;
  if (onTimeout === "default") {
    if (given === undefined)
      throw new EnvoyError("missing_argument", { name: "--default", command, rule: "`--on-timeout default` needs it" });
    if (!mayDefault(type, input["question-type"]))
      throw excluded(
        `--on-timeout default and ${mayDefault(type, undefined) ? `--question-type ${input["question-type"]}` : `--type ${type}`}`,
      );
  }
  if (given === undefined) return {};
  const read = await readAnswer(expected, given);
  if (!read.ok) throw wrong("--default", given, `a valid answer (${read.problems.join(" ")})`);
  return { default: read.value };
}
