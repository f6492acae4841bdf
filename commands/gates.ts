// Every kind of gate by its name in the records, so that any command can judge any form. Loaded lazily.
import { damaged } from "../src/gate/fact-shapes.ts";
import type { Gate } from "../src/gate/gate.ts";

type Load = () => Promise<{ gate: unknown }>;

export const GATES: Record<string, Load> = {
  question: () => import("../src/questions/question-gate.ts"),
  findings_gate: () => import("./plan/block-findings-gate.ts"),
  plan_gate: () => import("./plan/block-plan-gate.ts"),
  prompt_testing: () => import("./plan/block-prompt-testing-gate.ts"),
  prompt_variants: () => import("./plan/block-prompt-variants-gate.ts"),
  debugging_logging: () => import("./plan/block-debugging-logging-gate.ts"),
  audit_questions: () => import("./gemini/audit-questions.ts"),
  human_approval: () => import("../src/quality/human-gate.ts"),
  stuck: () => import("../src/quality/stuck-gate.ts"),
  review_questions: () => import("./gemini/review-questions.ts"),
};

export async function gateOf(kind: string): Promise<Gate> {
  const load = Object.hasOwn(GATES, kind) ? GATES[kind] : undefined;
  if (!load) throw damaged("a gate", `it names the kind ${JSON.stringify(kind)}, which this envoy does not know`);
  return (await load()).gate as Gate;
}
