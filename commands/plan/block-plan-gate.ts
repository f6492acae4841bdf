import { PlanGate } from "../../schemas/gates.ts";
import { EnvoyError } from "../../schemas/errors.ts";
import { formatSubjectId } from "../../schemas/names.ts";
import { defineGate } from "../../src/gate/gate.ts";
import { entry, group, text, thoughts } from "../../src/gate/fields.ts";
import { listSpecialists } from "../../src/stores/findings.ts";
import { readAllPrompts } from "../../src/stores/prompts.ts";
import { gateCommand } from "../gate-command.ts";

interface Subject {
  prompts: { prompt_id: string; description: string }[];
  specialists: string[];
}

export const gate = defineGate(PlanGate)({
  summary: "Ask a person to approve the plan; an approval archives the findings",
  title: "PLAN GATE",
  key: () => "plan_gate",
  async load({ plan, shown: before }): Promise<{ subject: Subject }> {
    const prompts = await readAllPrompts(plan);
    if (!prompts.length && !before) throw new EnvoyError("no_prompts", { directory: plan.directory });
    const shown = prompts.map(({ id, front }) => ({ prompt_id: formatSubjectId(id), description: front.description ?? "" }));
    return { subject: { prompts: shown, specialists: await listSpecialists(plan) } };
  },
  template: ({ prompts }) => [
    thoughts(),
    text("user_required_plan_changes", "What must change in the plan (plan.md); empty if nothing"),
    group("prompt_feedback", {
      help: "One entry per prompt",
      entries: prompts.map(({ prompt_id, description }) =>
        entry(prompt_id, {
          notes: description,
          fields: [text("user_required_changes", "What must change in this prompt; empty if nothing")],
        }),
      ),
    }),
  ],
  decide({ user_required_plan_changes, prompt_feedback }, { prompts, specialists }) {
    const known = new Set(prompts.map(({ prompt_id }) => prompt_id));
    const said = Object.entries(prompt_feedback).filter(([, { user_required_changes }]) => user_required_changes !== "");
    const prompt_changes = said
      .filter(([prompt_id]) => known.has(prompt_id))
      .map(([prompt_id, { user_required_changes }]) => ({ prompt_id, user_required_changes }));
    const changed = user_required_plan_changes !== "" || said.length > 0;
    return {
      changes: [
        ...(user_required_plan_changes
          ? [{ change: "say" as const, concerns: "changes to the plan", text: user_required_plan_changes }]
          : []),
        ...said.map(([prompt_id, { user_required_changes }]) => ({
          change: "say" as const,
          concerns: `changes to prompt ${prompt_id}${known.has(prompt_id) ? "" : " (which no longer exists)"}`,
          text: user_required_changes,
        })),
        ...(changed ? [] : [{ change: "archive_findings" as const, specialists }]),
      ],
      result: { has_user_required_changes: changed, user_required_plan_changes, prompt_changes },
      proceed: !changed,
      summary: changed ? "The person asks for changes before the work begins." : "The person approved the plan.",
      next: changed
        ? "Make these changes (write-plan, write-prompt), then run envoy plan block-plan-gate again."
        : "Begin: envoy plan next lists the prompts that can be started.",
    };
  },
  report: (_result, outcomes) => ({ archived_findings: outcomes.flatMap((outcome) => outcome["archived_findings"] ?? []) }),
});

export const command = gateCommand(gate, { name: "plan block-plan-gate", example: "envoy plan block-plan-gate --wait 9m" });
