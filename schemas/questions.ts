// The form of a question, and what workers print.
import {
  array,
  boolean,
  literal,
  looseObject,
  nullish,
  number,
  object,
  record,
  string,
  union,
  unknown,
  enum as oneOf,
  type infer as Infer,
} from "zod";
import { ASKED_FOR, PLAIN_KINDS } from "./question-words.ts";

/** The answer as its field gives it; src/questions/answers.ts makes the value of it that was asked for. */
export const QuestionGate = {
  kind: "question",
  answers: object({
    answer: union([string(), boolean(), number(), record(string(), boolean())]).describe("Your answer"),
    thoughts: string().describe("Optional message to the agent"),
  }),
};

const loose = <T extends Parameters<typeof looseObject>[0]>(shape: T) => looseObject(shape);

/** What a worker prints when it ends. Other keys are kept to themselves. */
export const WorkerResult = loose({
  status: oneOf(["needs_input", "completed", "failed", "blocked"], "must be needs_input, completed, failed or blocked"),
  question: nullish(string()),
  questionContext: nullish(string()),
  summary: nullish(string()),
  details: nullish(unknown()),
  issues: nullish(unknown()),
});
export type WorkerResult = Infer<typeof WorkerResult>;

export const WorkerRequest = loose({
  type: literal("REQUEST"),
  request: loose({ action: string() }),
});

export const AskUserInput = loose({
  action: literal("ask_user_input"),
  question_type: nullish(oneOf(ASKED_FOR)),
  prompt: string().trim().min(1, "must not be empty"),
  context: nullish(string()),
  details: nullish(unknown()),
  expected_answer: nullish(
    loose({
      kind: oneOf([...PLAIN_KINDS, "single_choice", "multi_choice"]),
      choices: nullish(array(string().min(1)).min(1)),
      schema: nullish(record(string(), unknown())),
    }),
  ),
  blocking: nullish(boolean()),
});
export type AskUserInput = Infer<typeof AskUserInput>;
