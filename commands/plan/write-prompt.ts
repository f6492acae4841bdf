import { EnvoyError } from "../../schemas/errors.ts";
import { formatSubjectId } from "../../schemas/names.ts";
import { PROMPT_KINDS } from "../../schemas/plan.ts";
import { writePrompt } from "../../src/stores/prompts.ts";
import { defineCommand } from "../command.ts";
import { choice, input, list, numbers, optionalToggle, planDir, requiredText, text } from "../flags.ts";
import { openPlan } from "../open-plan.ts";
import { subject } from "../positionals.ts";
import { longText } from "../read-input.ts";

const NAME = "plan write-prompt";

export const command = defineCommand({
  summary: "Create or rewrite a prompt; what is not given stays",
  details: "Rewriting keeps status, branch and solution.",
  positionals: { id: subject() },
  flags: {
    description: requiredText("the work in one or two sentences"),
    kind: choice(PROMPT_KINDS, "of a debug prompt's variants only one can be kept"),
    files: list("the files it touches"),
    criteria: text("how one sees that it is done"),
    "depends-on": numbers("the prompts that come first"),
    "requires-manual-testing": optionalToggle("a person tests it at its gate (`=false` takes that back)"),
    context: text("the prompt's text, Markdown"),
    input: input("the prompt's text"),
    "plan-dir": planDir(),
  },
  example: `envoy plan write-prompt 2 A --description "Passkey form" --depends-on 1 --requires-manual-testing --input prompt.md`,
  async run(given, context) {
    const body = await longText({ name: "--context", given: given.context }, given.input, { context, command: NAME });
    if (given["depends-on"]?.includes(given.id.number)) {
      throw new EnvoyError("invalid_argument", {
        name: "--depends-on",
        given: `${given.id.number}`,
        rule: "the numbers of other prompts",
        command: NAME,
      });
    }
    const plan = await openPlan(context, given["plan-dir"]);
    const keys = {
      description: given.description,
      ...(given.kind && { kind: given.kind }),
      ...(given.files && { relevant_files: given.files }),
      ...(given.criteria !== undefined && { success_criteria: given.criteria }),
      ...(given["depends-on"] && { depends_on: given["depends-on"] }),
      ...(given["requires-manual-testing"] !== undefined && { requires_manual_testing: given["requires-manual-testing"] }),
    };
    const { prompt, created } = await writePrompt(plan, given.id, { keys, ...(body !== undefined && { body }) });
    return { data: { prompt_id: formatSubjectId(given.id), status: prompt.front.status, file: prompt.file, created } };
  },
});
