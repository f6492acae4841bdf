// The gates that a formula stands for, before the team's own list is laid over them.
import type { Formula, GateEntry } from "../../schemas/config.ts";
import { DIMENSIONS, type Dimension } from "../../schemas/quality.ts";

/** As in the configuration; `synthesis: true` means the reviewer's own command, unless another is named. */
export type FormulaGate = Omit<GateEntry, "synthesis"> & { synthesis?: true };

const tests: FormulaGate = { name: "tests", type: "command", serial: true };
const typecheck: FormulaGate = { name: "typecheck", type: "command", serial: true };
const review = (dimensions: readonly Dimension[]): FormulaGate => ({
  name: "code_review",
  type: "parallel_review",
  dimensions: [...dimensions],
  synthesis: true,
});
const approval: FormulaGate = { name: "human_approval", type: "human", prompt: "Review and approve this change" };

export const FORMULA_GATES: Record<Formula, readonly FormulaGate[]> = {
  "code-review": [tests, typecheck, review(DIMENSIONS)],
  "security-audit": [tests, review(["security", "resilience", "correctness"]), approval],
  "quick-review": [tests, review(["correctness", "security"])],
  none: [],
};
