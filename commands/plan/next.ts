import { formatSubjectId } from "../../schemas/names.ts";
import { type Prompt, readAllPrompts } from "../../src/stores/prompts.ts";
import { defineCommand } from "../command.ts";
import { planDir } from "../flags.ts";
import { planWords } from "../gate-reply.ts";
import { openPlan } from "../open-plan.ts";
import { summarisePrompt } from "../show-plan.ts";
import { whyNoneBegins } from "./none-begins.ts";

export const command = defineCommand({
  summary: "The prompts that can be begun now, and what the others wait for",
  flags: { "plan-dir": planDir() },
  example: "envoy plan next",
  async run(given, context) {
    const plan = await openPlan(context, given["plan-dir"]);
    const all = await readAllPrompts(plan);
    const notBegun = all.filter(
      ({ front }) => front.status === "unimplemented" && !front.in_progress && front.variant_solution !== "discard",
    );
    const missing = (prompt: Prompt) => (prompt.front.depends_on ?? []).filter((number) => !isDone(number, all));
    const prompts = notBegun.filter((prompt) => missing(prompt).length === 0);
    const waiting = notBegun.filter((prompt) => missing(prompt).length > 0).map((prompt) => ({ prompt, missing: missing(prompt) }));
    const named = planWords(context, given["plan-dir"]);
    const typed = (words: string) => `envoy plan ${words}${named && ` ${named}`}`;
    return {
      data: {
        prompts: prompts.map(summarisePrompt),
        waiting: waiting.map((each) => ({ prompt_id: formatSubjectId(each.prompt.id), waits_for: each.missing })),
        ...(prompts.length ? {} : whyNoneBegins(all, waiting, typed)),
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
