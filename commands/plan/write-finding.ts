import { EnvoyError } from "../../schemas/errors.ts";
import { formatSubjectId } from "../../schemas/names.ts";
import { ApproachesInput, FindingsInput } from "../../schemas/plan.ts";
import { approachId, replaceApproaches } from "../../src/stores/approach-edits.ts";
import { editFindings, refuseContradictions } from "../../src/stores/findings.ts";
import { defineCommand } from "../command.ts";
import { input, planDir, text } from "../flags.ts";
import { openPlan } from "../open-plan.ts";
import { specialist } from "../positionals.ts";
import { parseInput, readInput } from "../read-input.ts";

const NAME = "plan write-finding";

export const command = defineCommand({
  summary: "Create or replace a specialist's findings",
  details: `What is given is replaced, what is not given stays. Questions that a person answered stay with their approach.
Each approach is {number, variant|null, description, relevant_files[], required_clarifying_questions[{question}], approach_detail}.`,
  positionals: { specialist: specialist() },
  flags: {
    notes: text("what the specialist found"),
    approaches: text("all approaches, as a JSON list", "JSON"),
    input: input("`notes` and `approaches` as one JSON or YAML document"),
    "plan-dir": planDir(),
  },
  example: `envoy plan write-finding backend --notes "REST, no auth yet" --approaches '[{"number":1,"description":"Add JWT"}]'`,
  async run(given, context) {
    const { notes, approaches } = await contentOf(given);
    const plan = await openPlan(context, given["plan-dir"]);
    const ids = await editFindings(plan, given.specialist, ({ findings }) => {
      const old = findings.approaches ?? [];
      if (approaches) refuseContradictions(given.specialist, approaches);
      const edits = [
        ...(notes === undefined ? [] : [{ path: ["notes"], value: notes }]),
        ...(approaches ? replaceApproaches(old, approaches) : []),
      ];
      return { edits, result: (approaches ?? old).map((approach) => formatSubjectId(approachId(approach))) };
    });
    return {
      data: { specialist_name: given.specialist, approaches: ids, next: "When all specialists are done: envoy plan block-findings-gate" },
    };

    async function contentOf(flags: typeof given) {
      if (flags.input !== undefined && (flags.notes !== undefined || flags.approaches !== undefined)) {
        throw new EnvoyError("conflicting_flags", { flags: "--input and --notes or --approaches", command: NAME });
      }
      const document = await readInput(flags.input, context);
      if (document !== undefined) return parseInput("--input", document, FindingsInput);
      if (flags.notes === undefined && flags.approaches === undefined) {
        throw new EnvoyError("missing_argument", { name: "--notes, --approaches or --input", command: NAME });
      }
      return {
        notes: flags.notes,
        approaches: flags.approaches === undefined ? undefined : await parseInput("--approaches", flags.approaches, ApproachesInput),
      };
    }
  },
});
