// A person approves a change, in a form like any other gate's. The answer becomes a fact of the round that asked.
import { createHash } from "node:crypto";
import { HumanApproval, APPROVALS } from "../../schemas/gates.ts";
import type { GateResult } from "../../schemas/quality.ts";
import { choice, text } from "../gate/fields.ts";
import { defineGate } from "../gate/gate.ts";
import { isoNow, now } from "../system/clock.ts";
import { roundChange } from "./round-records.ts";
import { type ShownChange, describeChange, describeResults, paragraphs } from "./shown-change.ts";
import { tell } from "./tell.ts";

export interface ApprovalSubject extends ShownChange {
  gate: string;
  prompt: string;
  iteration: number;
  results: GateResult[];
  /** The answer holds for this tree and these gates alone. */
  basis: string;
  asked_at: string;
}

/** Differs whenever the answer would be about something else, so that the form then differs too. */
const nameOf = ({ basis }: ApprovalSubject) => createHash("sha256").update(basis).digest("hex").slice(0, 10);

export const gate = defineGate(HumanApproval)<{ task: string; gate: string }, ApprovalSubject>({
  summary: "Ask a person to approve a task's change",
  title: "APPROVAL",
  key: ({ task, gate: name }) => `${task}_${name}`,
  load: () => Promise.reject(new Error("an approval is asked for by a round, which brings its subject")),
  template: (subject) => [
    {
      ...choice("decision", ["approve or reject"], APPROVALS),
      notes: paragraphs(subject.prompt, describeChange(subject), describeResults(subject.results), `State of the work: ${nameOf(subject)}`),
    },
    text("comment", "Your words to the agent; needed to reject: what has to be mended"),
  ],
  check: ({ decision, comment }) =>
    decision === "reject" && !comment ? [{ path: ["comment"], message: "Rejected: say here what has to be mended." }] : [],
  decide({ decision, comment }, { task, gate: name, basis, asked_at }) {
    const approved = decision === "approve";
    const result: GateResult = {
      name,
      outcome: approved ? "passed" : "failed",
      duration_ms: Math.max(0, now().getTime() - Date.parse(asked_at)),
      findings: approved ? [] : [{ priority: "P1", issue: comment }],
      summary: `a person ${approved ? "approved" : "rejected"} it${comment ? `: ${comment}` : ""}`,
    };
    return {
      changes: [roundChange(task.id, { type: "gate_finished", at: isoNow(), by: "human", result, asked_about: basis })],
      result: { task_id: task.id, decision, comment },
      proceed: approved,
      summary: `The person ${approved ? "approves" : "rejects"} the change of task ${task.id}.`,
      next: `Run \`envoy gates run --task ${task.id}\` for the result of the whole round.`,
    };
  },
  async tell(house, { id, subject, opened, end }, fact) {
    const { task, gate: name, iteration } = subject as ApprovalSubject;
    const about = { task: task.id, iteration, gate: name, gate_id: id };
    if (fact === "opened") await tell(house, "human_review_requested", { ...about, who: opened.asked_by, at: opened.at });
    if (end?.type !== "answered") return;
    const { decision, comment } = end.result;
    const approved = decision === "approve";
    const said = { result: approved ? ("passed" as const) : ("failed" as const), approved, comment };
    await tell(house, "human_review_completed", { ...about, who: end.answer.answered_by, at: end.at, ...said });
  },
});
