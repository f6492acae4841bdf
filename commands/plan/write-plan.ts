import { EnvoyError } from "../../schemas/errors.ts";
import { writePlanText } from "../../src/stores/plan-text.ts";
import { defineCommand } from "../command.ts";
import { input, planDir, text } from "../flags.ts";
import { openPlan } from "../open-plan.ts";
import { longText } from "../read-input.ts";

const NAME = "plan write-plan";

export const command = defineCommand({
  summary: "Write plan.md; what is not given stays",
  flags: {
    title: text("the plan's title"),
    objective: text("what is reached when the plan is done"),
    context: text("the plan's text, Markdown"),
    input: input("the plan's text"),
    "plan-dir": planDir(),
  },
  example: `envoy plan write-plan --title "Login" --objective "People sign in with a passkey" --input plan-draft.md`,
  async run(given, context) {
    const body = await longText({ name: "--context", given: given.context }, given.input, { context, command: NAME });
    if (given.title === undefined && given.objective === undefined && body === undefined) {
      throw new EnvoyError("missing_argument", { name: "--title, --objective, --context or --input", command: NAME });
    }
    const plan = await openPlan(context, given["plan-dir"]);
    const written = await writePlanText(plan, { title: given.title, objective: given.objective, body });
    return { data: { file: written.file, ...written.front, next: "Write prompts: envoy plan write-prompt <n> --description …" } };
  },
});
