import { formatSubjectId } from "../../schemas/names.ts";
import { auditPrompt } from "../../src/quality/audit.ts";
import { readPlanText } from "../../src/stores/plan-text.ts";
import { readAllPrompts } from "../../src/stores/prompts.ts";
import { readUserInput } from "../../src/stores/user-input.ts";
import { defineCommand } from "../command.ts";
import { openPlanOfProject } from "../open-plan.ts";
import { askReviewer, reviewFlags } from "./ask-reviewer.ts";
import { gate } from "./audit-questions.ts";

export const command = defineCommand({
  summary: "Have a reviewer audit plan and prompts; its questions go to a person",
  details: "What the reviewer says is kept when the form opens: run again, this attaches and does not ask the reviewer twice.",
  flags: reviewFlags(),
  example: "envoy gemini audit --reviewer 'claude -p' --wait 9m",
  async run({ reviewer, "plan-dir": dir, ...flags }, context) {
    const at = await openPlanOfProject(context, dir);
    const { plan } = at;
    return askReviewer(context, flags, {
      gate,
      key: "audit_questions",
      at,
      words: "gemini audit",
      planDir: dir,
      reviewer,
      about: {},
      async material() {
        const [{ text }, prompts, userInput] = await Promise.all([readPlanText(plan), readAllPrompts(plan), readUserInput(plan)]);
        const shown = prompts.map((each) => ({ id: formatSubjectId(each.id), text: each.text }));
        return { text: auditPrompt({ plan: text, prompts: shown, userInput }), cwd: context.cwd };
      },
    });
  },
});
