import { EnvoyError } from "../../schemas/errors.ts";
import { type SubjectId, formatSubjectId } from "../../schemas/names.ts";
import type { Outcome } from "./changes.ts";
import type { Plan } from "./plans.ts";
import { type PromptChanges, editPrompt } from "./prompts.ts";

/** A prompt that was removed meanwhile takes nothing else down: the answer stays in the trail and in the record. */
export async function setPrompt(plan: Plan, prompt: SubjectId, keys: PromptChanges): Promise<Outcome | undefined> {
  try {
    await editPrompt(plan, prompt, () => keys);
    return undefined;
  } catch (error) {
    if (!(error instanceof EnvoyError) || error.type !== "prompt_not_found") throw error;
    return { problems: [`Prompt ${formatSubjectId(prompt)} does not exist any more.`] };
  }
}
