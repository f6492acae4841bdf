import { EnvoyError } from "../../schemas/errors.ts";
import { type SubjectId, VARIANT_RULE, formatSubjectId, isVariant, sameSubject } from "../../schemas/names.ts";
import type { Approach } from "../../schemas/plan.ts";
import { approachId, setApproach } from "../../src/stores/approach-edits.ts";
import { editFindings } from "../../src/stores/findings.ts";
import { defineCommand } from "../command.ts";
import { input, list, planDir, repeated, text } from "../flags.ts";
import { openPlan } from "../open-plan.ts";
import { specialist, subject } from "../positionals.ts";
import { longText } from "../read-input.ts";

const NAME = "plan write-approach";

export const command = defineCommand({
  summary: "Add or replace one approach of a specialist",
  details: "What is not given stays. Rewriting clears user_requested_changes and keeps user_addressed_questions.",
  positionals: { specialist: specialist(), id: subject() },
  flags: {
    variant: text(`the variant, ${VARIANT_RULE}`, "A"),
    description: text("the approach in one or two sentences, for the person who decides"),
    context: text("the approach in detail"),
    input: input("the detail"),
    files: list("the files it touches"),
    question: repeated("a question only a person can answer; may be given several times"),
    "plan-dir": planDir(),
  },
  example: `envoy plan write-approach frontend 1 --variant A --description "Server-side rendering" --question "SSR or CSR?"`,
  async run(given, context) {
    const id = withVariant(given.id, given.variant);
    const detail = await longText({ name: "--context", given: given.context }, given.input, { context, command: NAME });
    const plan = await openPlan(context, given["plan-dir"]);
    const created = await editFindings(plan, given.specialist, ({ findings }) => {
      const approaches = findings.approaches ?? [];
      refuseMixture({ specialist: given.specialist, id }, approaches);
      const before = approaches.find((candidate) => sameSubject(approachId(candidate), id));
      const approach = {
        ...(before ?? id),
        description: given.description ?? before?.description ?? "",
        relevant_files: given.files ?? before?.relevant_files ?? [],
        required_clarifying_questions: given.question.length
          ? given.question.map((question) => ({ question }))
          : (before?.required_clarifying_questions ?? []),
        user_requested_changes: "",
        approach_detail: detail ?? before?.approach_detail ?? "",
      };
      return { edits: setApproach(approaches, approach), result: !before };
    });
    return { data: { specialist_name: given.specialist, approach_id: formatSubjectId(id), created } };
  },
});

function withVariant(id: SubjectId, variant: string | undefined): SubjectId {
  if (variant === undefined) return id;
  if (!isVariant(variant))
    throw new EnvoyError("invalid_argument", { name: "--variant", given: variant, rule: VARIANT_RULE, command: NAME });
  if (id.variant && id.variant !== variant)
    throw new EnvoyError("conflicting_flags", { flags: `The variants ${id.variant} and ${variant}`, command: NAME });
  return { ...id, variant };
}

function refuseMixture({ specialist: name, id }: { specialist: string; id: SubjectId }, approaches: Approach[]): void {
  const same = approaches.map(approachId).filter(({ number }) => number === id.number);
  const about = { what: `Approach`, number: id.number };
  const clear = `envoy plan clear-approach ${name} ${id.number}`;
  if (id.variant && same.some(({ variant }) => variant === null)) throw new EnvoyError("standalone_exists", { ...about, clear });
  const variants = same.flatMap(({ variant }) => variant ?? []);
  if (!id.variant && variants.length) throw new EnvoyError("variants_exist", { ...about, variants, clear: `${clear} ${variants[0]}` });
}
