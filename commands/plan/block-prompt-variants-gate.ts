import { EnvoyError } from "../../schemas/errors.ts";
import { VARIANT_DECISIONS, VariantsGate } from "../../schemas/gates.ts";
import { type SubjectId, formatSubjectId, spokenSubjectId } from "../../schemas/names.ts";
import { isReadyVariant } from "../../schemas/plan.ts";
import { type Loading, defineGate } from "../../src/gate/gate.ts";
import { choice, entry, group, text, thoughts } from "../../src/gate/fields.ts";
import { readAllPrompts, requirePrompt } from "../../src/stores/prompts.ts";
import { gateCommand } from "../gate-command.ts";
import { subject } from "../positionals.ts";
import { isAskedAbout, lacking, variantsOf } from "./asked-variants.ts";
import { type Variants, decideVariants, reportVariants, viewOf } from "./decide-variants.ts";

const NAME = "plan block-prompt-variants-gate";
const CHOICES =
  "main: merged to the feature branch · accepted: kept unmerged, worktree stays · rejected: branch archived, worktree removed";
const OF_DEBUG = "This is a debug prompt: only one fix can be main, so accepted counts as rejected.";

export const gate = defineGate(VariantsGate)({
  summary: "Ask a person which of a prompt's variants becomes the solution; one form for all of them",
  title: "VARIANTS GATE",
  key: ({ number }: SubjectId) => `${number}_variants`,
  async load({ plan, last, shown }, id: SubjectId): Promise<Loading<Variants>> {
    const variants = (await readAllPrompts(plan)).filter(({ front }) => front.number === id.number && front.variant);
    if (variants.length && !id.variant) {
      const calls = variants.map((prompt) => `\`envoy ${NAME} ${spokenSubjectId(prompt.id)}\``);
      throw new EnvoyError("missing_argument", {
        name: "<variant>",
        command: NAME,
        rule: `one that prompt ${id.number} has, ${calls.join(" or ")}`,
      });
    }
    if (shown) return { subject: variantsOf(id, plan, variants.filter(isAskedAbout(shown as Variants))) };
    await requirePrompt(plan, id);
    if (!variants.length) return { skipped: `prompt ${id.number} has no variants.` };
    if (last && variants.every(({ front }) => front.variant_solution)) return { decided: true };
    if (variants.length === 1) return { skipped: `${formatSubjectId(id)} is the only variant of prompt ${id.number}.` };
    const missing = variants.filter(({ front }) => !isReadyVariant(front));
    if (missing.length) return { waitFor: missing.map(lacking) };
    return { subject: variantsOf(id, plan, variants) };
  },
  template: ({ debug, variants }) => [
    thoughts(),
    group("variants", {
      help: "Exactly one variant becomes main",
      entries: variants.map(({ variant, description, branch }) =>
        entry(variant, {
          notes: [description, branch ? `Branch: ${branch}` : ""].filter(Boolean).join("\n"),
          fields: [
            choice("decision", debug ? [CHOICES, OF_DEBUG] : [CHOICES], VARIANT_DECISIONS),
            text("reason", "Why; the agent of this variant reads it"),
          ],
        }),
      ),
    }),
  ],
  check({ variants: decided }, { variants }) {
    const mains = variants.filter(({ variant }) => decided[variant]?.decision === "main").map(({ variant }) => variant);
    if (mains.length === 1) return [];
    const message = mains.length
      ? `Only one variant can be main, but ${mains.join(" and ")} are.`
      : `One of ${variants.map(({ variant }) => variant).join(", ")} must be main.`;
    return [{ path: ["variants", mains[1] ?? variants[0]!.variant, "decision"], message }];
  },
  decide: decideVariants,
  report: reportVariants,
  view: viewOf,
});

export const command = gateCommand(gate, {
  name: NAME,
  positionals: { args: subject() },
  words: spokenSubjectId,
  resumesItself: true,
  details: "Waits until all variants of the number are ready; called again after the decision, it returns that decision.",
  example: `envoy ${NAME} 2 A --wait 9m`,
});
