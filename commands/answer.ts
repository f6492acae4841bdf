import { EnvoyError } from "../schemas/errors.ts";
import { isTaskId } from "../schemas/question-words.ts";
import { findGate } from "../src/gate/find.ts";
import { type House, isQuestionId } from "../src/gate/house.ts";
import { readConfig } from "../src/stores/config.ts";
import { editIn, fillIn } from "./answer-form.ts";
import { answerTo, questionOfTask } from "./answer-question.ts";
import { refuseAgents } from "./agents.ts";
import { type Flag, type Positional, defineCommand } from "./command.ts";
import { repeated, text, toggle } from "./flags.ts";
import { openSettledHouse } from "./settled-house.ts";

const sets: Flag<{ path: string; value: string }[]> = {
  kind: "repeated",
  value: "PATH=VALUE",
  help: "fill in one field; `envoy show` lists them; may be given several times",
  read: (given, { command }) =>
    given.map((word) => {
      const at = word.indexOf("=");
      if (at < 1)
        throw new EnvoyError("invalid_argument", { name: "--set", given: word, rule: "a field's path, `=` and its value", command });
      return { path: word.slice(0, at), value: word.slice(at + 1) };
    }),
};

const optional = (usage: string, help: string): Positional<string | undefined> => ({ usage, help, take: (queue) => queue.shift() });

export const command = defineCommand({
  summary: "Answer a question, or fill in any open form from a script",
  details:
    "On a terminal without a text it shows the question and asks. Of a form, what stands in other fields stays; without --done it stays open with these values in it. With --edit a form opens in the editor, and is read once that is closed.",
  positionals: {
    id: optional("<id>", "a question, a gate, the end of an id, a form's key, or a task that awaits input"),
    text: optional("[text]", "the answer to a question"),
  },
  flags: {
    choice: repeated("a choice of the question; may be given several times", "X"),
    set: sets,
    done: toggle("the form is finished"),
    edit: toggle("write the answer, or fill in the form, in the editor"),
    e: toggle("the same as --edit"),
    template: text("the answer of this name in config.yaml", "NAME"),
    all: toggle("walk through everything that is open"),
    "answered-by": text("who answers; default: human", "WHO"),
    "operation-id": text("repeating it with this id gives the same reply, whatever happened", "ID"),
  },
  example: `envoy answer q_7k2m9xq4twe "Use Postgres"`,
  async run({ e, ...given }, context) {
    const input = { ...given, edit: given.edit || e };
    const house = await openSettledHouse(context);
    const { human_input: settings } = (await readConfig(house.project.directory)).config;
    refuseAgents(context, settings, "answering");
    if (input.all) {
      const { answerAll } = await import("./answer-all.ts");
      return answerAll(house, context, input["answered-by"]);
    }
    if (!input.id) throw new EnvoyError("missing_argument", { name: "<id>", command: "answer", rule: "a question, a gate or a task" });
    const id = await whatIsAnswered(house, input.id);
    const partly = input.set.length > 0 && !input.done && !input.edit;
    if (isQuestionId(id) && !partly) return answerTo(house, id, { input, context, settings });
    return input.edit ? editIn(house, id, { input, context }) : fillIn(house, id, input);
  },
});

/** A task's own id comes before the end of somebody else's. */
async function whatIsAnswered(house: House, given: string): Promise<string> {
  const ofTask = isTaskId(given) && !isQuestionId(given) ? await questionOfTask(house, given) : undefined;
  return ofTask ?? (await findGate(house, given)).id;
}
