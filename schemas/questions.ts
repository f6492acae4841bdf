// The form of a question, and what workers print.
import { boolean, number, object, record, string, union } from "zod";

/** The answer as its field gives it; src/questions/answers.ts makes the value of it that was asked for. */
export const QuestionGate = {
  kind: "question",
  answers: object({
    answer: union([string(), boolean(), number(), record(string(), boolean())]).describe("Your answer"),
    thoughts: string().describe("Optional message to the agent"),
  }),
};
