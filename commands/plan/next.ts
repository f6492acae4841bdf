import { formatSubjectId } from "../../schemas/names.ts";
import { type Prompt, readAllPrompts } from "../../src/stores/prompts.ts";
import { defineCommand } from "../command.ts";
import { planDir } from "../flags.ts";
import { openPlan } from "../open-plan.ts";
import { summarisePrompt } from "../show-plan.ts";

export const command = defineCommand({
  summary: "The prompts that can be begun now, and what the others wait for",
  flags: { "plan-dir": planDir() },
  example: "envoy plan next",
  async run(given, context) {
    const all = await readAllPrompts(await openPlan(context, given["plan-dir"]));
    const notBegun = all.filter(
      ({ front }) => front.status === "unimplemented" && !front.in_progress && front.variant_solution !== "discard",
    );
    const missing = (prompt: Prompt) => (prompt.front.depends_on ?? []).filter((number) => !isDone(number, all));
    const waiting = notBegun.filter((prompt) => missing(prompt).length > 0);
    return {
      data: {
        prompts: notBegun.filter((prompt) => missing(prompt).length === 0).map(summarisePrompt),
        waiting: waiting.map((prompt) => ({ prompt_id: formatSubjectId(prompt.id), waits_for: missing(prompt) })),
      },
    };
  },
});

/** Of a number with variants, its `main` must be done. */
function isDone(number: number, all: Prompt[]): boolean {
  return all.some(
    ({ id, front }) =>
      id.number === number &&
      (id.variant === null || front.variant_solution === "main") &&
      (front.status === "tested" || front.status === "merged"),
  );
}
