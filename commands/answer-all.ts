import { EnvoyError } from "../schemas/errors.ts";
import type { House } from "../src/gate/house.ts";
import { openGates } from "../src/gate/settle.ts";
import { answerQuestion } from "../src/questions/answer.ts";
import { takesAnswers } from "../src/questions/question.ts";
import { liveQuestions } from "../src/questions/state.ts";
import { askOnTerminal } from "./answer-terminal.ts";
import type { Context, Reply } from "./command.ts";
import { fileOf } from "./gate-reply.ts";

/** One after the other, the oldest first; an empty line leaves a question open. Forms are named, since they need an editor. */
export async function answerAll(house: House, context: Context, answeredBy = "human"): Promise<Reply> {
  if (!context.prompt)
    throw new EnvoyError("missing_argument", { name: "a terminal", command: "answer --all", rule: "it asks one question after the other" });
  const answered: string[] = [];
  const skipped: string[] = [];
  for (const question of (await liveQuestions(house)).filter(takesAnswers)) {
    const { question_id: id } = question;
    for (;;) {
      const answer = await askOnTerminal(question, context);
      if (answer === undefined || answer.length === 0 || (typeof answer === "string" && answer.trim() === "")) {
        skipped.push(id);
        break;
      }
      try {
        await answerQuestion(house, id, { answer, answeredBy });
        answered.push(id);
        break;
      } catch (error) {
        if (!(error instanceof EnvoyError)) throw error;
        context.note(`envoy: ${error.message}`);
        if (error.type !== "question_invalid_answer") break;
      }
    }
  }
  const forms = (await openGates(house, ({ end, opened }) => !end && opened.kind !== "question")).map((gate) => fileOf(house, gate));
  for (const form of forms) context.note(`envoy: open in your editor: ${form}`);
  return { data: { answered, skipped, forms } };
}
