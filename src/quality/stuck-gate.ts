// Too many rounds have failed: a person says how it goes on.
import { StuckGate } from "../../schemas/gates.ts";
import type { Feedback } from "../../schemas/quality.ts";
import { STUCK_DECISIONS } from "../../schemas/rounds.ts";
import { choice, text } from "../gate/fields.ts";
import { defineGate } from "../gate/gate.ts";
import type { Change } from "../stores/changes.ts";
import { isoNow } from "../system/clock.ts";
import { headCommit } from "../system/git-change.ts";
import { roundChange } from "./round-records.ts";
import { type ShownChange, describeChange, describeFeedback, paragraphs } from "./shown-change.ts";
import { tell } from "./tell.ts";

export interface StuckSubject extends ShownChange {
  iteration: number;
  feedback: Feedback[];
}

const NEXT = {
  retry: "A new set of rounds has begun. Mend what the feedback and the comment name, then signal that you are done.",
  accept: "The person takes the change as it is: it is ready to merge.",
  abandon: "The task has failed. Leave it.",
};
const SAID = { retry: "gives the task a new set of rounds", accept: "accepts the change as it is", abandon: "abandons the task" };

const setStatus = (id: string, status: "ready_to_merge" | "failed"): Change => ({
  change: "record",
  stream: { kind: "task", id },
  fact: { type: "set", status },
});

export const gate = defineGate(StuckGate)<{ task: string }, StuckSubject>({
  summary: "Ask a person what becomes of a task whose gates failed too often",
  title: "STUCK",
  key: ({ task }) => `${task}_stuck`,
  load: () => Promise.reject(new Error("a stuck task is asked about by its round, which brings the subject")),
  template: (subject) => [
    {
      ...choice(
        "decision",
        ["retry: a new set of rounds · accept: passes as it is, ready to merge · abandon: the task has failed"],
        STUCK_DECISIONS,
      ),
      notes: paragraphs(
        describeChange(subject),
        `The last of ${subject.iteration} rounds failed like this:`,
        describeFeedback(subject.feedback),
      ),
    },
    text("comment", "Your words to whoever goes on; optional"),
  ],
  decide({ decision, comment }, { task: { id } }) {
    const said = { type: "stuck_decided" as const, at: isoNow(), by: "human", decision, ...(comment ? { comment } : {}) };
    return {
      changes: [
        roundChange(id, said),
        ...(decision === "accept" ? [setStatus(id, "ready_to_merge")] : decision === "abandon" ? [setStatus(id, "failed")] : []),
      ],
      result: { task_id: id, decision, comment },
      proceed: decision === "accept",
      summary: `The person ${SAID[decision]}.`,
      next: NEXT[decision],
    };
  },
  async tell(house, { id, subject, end }, fact) {
    const { task, iteration, directory } = subject as StuckSubject;
    if (fact !== "answered" || end?.type !== "answered" || end.result["decision"] !== "accept") return;
    const said = { accepted_by: end.answer.answered_by, comment: end.result["comment"] };
    const about = { task: task.id, iteration, gate_id: id, who: end.answer.answered_by, at: end.at };
    await tell(house, "all_gates_passed", { ...about, ...said, commit: await headCommit(directory) });
  },
});
