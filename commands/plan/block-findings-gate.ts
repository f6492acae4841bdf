import { FindingsGate } from "../../schemas/gates.ts";
import { type Loading, defineGate } from "../../src/gate/gate.ts";
import { entry, group, questions, text, thoughts, yesNo } from "../../src/gate/fields.ts";
import { approachId } from "../../src/stores/approach-edits.ts";
import { readAllFindings } from "../../src/stores/findings.ts";
import { gateCommand } from "../gate-command.ts";
import { type Shown, approachKey, decideFindings } from "./decide-findings.ts";

/** An agent that has just written findings must not go on because they were not kept. */
const IF_EXPECTED =
  "If findings were expected, write-finding may have failed: envoy plan get-findings shows what is there; write them, then run this gate again.";

export const gate = defineGate(FindingsGate)({
  summary: "Ask a person about the findings: which approaches stay, what must change, open questions",
  title: "FINDINGS GATE",
  key: () => "findings_gate",
  async load({ plan, shown: before }): Promise<Loading<Shown[]>> {
    const all = await readAllFindings(plan);
    const shown = all.flatMap(({ findings }) =>
      (findings.approaches ?? []).map((each) => ({
        key: approachKey(findings.specialist_name, approachId(each)),
        specialist: findings.specialist_name,
        approach: approachId(each),
        description: each.description ?? "",
        questions: [...new Set((each.required_clarifying_questions ?? []).map(({ question }) => question))],
      })),
    );
    if (shown.length || before) return { subject: shown };
    return { skipped: all.length ? "the findings hold no approaches." : "there are no findings.", next: IF_EXPECTED };
  },
  template: (shown) => [
    thoughts(),
    group("approach_feedback", {
      help: "One entry per approach",
      entries: shown.map(({ key, approach, description, questions: asked }) =>
        entry(key, {
          notes: description,
          fields: [
            text("user_required_changes", "What must change in this approach; empty if nothing"),
            ...(approach.variant ? [yesNo("rejected", "true: this variant is dropped", false)] : []),
            ...(asked.length ? [questions("question_answers", "The agent's questions; an empty answer leaves one open", { asked })] : []),
          ],
        }),
      ),
    }),
  ],
  check({ approach_feedback }, shown) {
    const numbers = new Map<string, Shown[]>();
    for (const each of shown.filter(({ approach }) => approach.variant)) {
      const number = `${each.specialist}_${each.approach.number}`;
      numbers.set(number, [...(numbers.get(number) ?? []), each]);
    }
    return [...numbers.values()]
      .filter((variants) => variants.every(({ key }) => approach_feedback[key]?.rejected))
      .map((variants) => ({
        path: ["approach_feedback", variants[0]!.key, "rejected"],
        message: `Of ${variants.map(({ key }) => key).join(", ")} at least one must stay: set rejected: false for it.`,
      }));
  },
  decide: decideFindings,
});

export const command = gateCommand(gate, { name: "plan block-findings-gate", example: "envoy plan block-findings-gate --wait 9m" });
