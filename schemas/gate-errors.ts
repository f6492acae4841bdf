// What can become of a gate other than an answer.
import { EXIT, GO_TO_PROJECT, type Issue, define, noProjectIn } from "./error-definition.ts";

export const GATE_ERRORS = {
  timeout: define<{ gate: string; gate_id: string; file: string; deadline: string; again: string }>({
    exit: EXIT.deadline,
    when: "the deadline passed and nobody has answered; the gate stays open with all its text",
    message: (p) => `Nobody answered ${p.gate} by ${p.deadline}. That is no consent: the gate is still open (${p.file}).`,
    suggestion: (p) => `To wait for another period: \`${p.again}\`. An answer given meanwhile is not lost.`,
  }),
  gate_cancelled: define<{ gate: string; gate_id: string; reason?: string }>({
    exit: EXIT.state,
    when: "the gate was withdrawn",
    message: (p) =>
      `The gate ${p.gate} (${p.gate_id}) was withdrawn${p.reason ? `: ${p.reason.replace(/\.$/, "")}` : ""}. Nobody has decided.`,
    suggestion: (p) =>
      `Do not go on as if it were approved. \`envoy show ${p.gate_id}\` shows what was asked and the text that was kept; if the decision is still needed, run the gate's command again.`,
  }),
  invalid_feedback: define<{ file: string; gate_id: string; issues: Issue[]; again?: string }>({
    exit: EXIT.data,
    when: "with `--on-invalid fail`, or answered with `--edit`: the form was saved as finished, but handed back",
    message: (p) => `The form ${p.file} was saved as finished but handed back: ${p.issues[0]?.message ?? "see the marks in it"}`,
    suggestion: (p) =>
      p.again
        ? `Correct what \`issues\` names and set done: true again: \`${p.again}\`.`
        : `Correct what \`issues\` names, set done: true again, then \`envoy wait ${p.gate_id}\`.`,
  }),
  logs_too_large: define<{ file: string; limit: number; gate_id: string }>({
    exit: EXIT.data,
    when: "the pasted logs have more tokens than MAX_LOGS_TOKENS",
    message: (p) => `The logs in ${p.file} have more than ${p.limit} tokens. The form was handed back; both files stay.`,
    suggestion: (p) =>
      `Have the logs shortened (or raise MAX_LOGS_TOKENS), then run the gate's command again, or \`envoy wait ${p.gate_id}\`.`,
  }),
  gate_not_found: define<{ id: string; known?: string[]; last?: string | undefined; outside?: string }>({
    exit: EXIT.state,
    when: "no gate has this id, or none with this key is open",
    message: (p) =>
      p.outside
        ? `There is no gate ${JSON.stringify(p.id)} here: ${noProjectIn(p.outside)}`
        : `There is no ${p.last ? "open " : ""}gate ${JSON.stringify(p.id)} in this repository.${p.known?.length ? ` Open: ${p.known.join(", ")}.` : ""}`,
    suggestion: (p) =>
      p.outside
        ? GO_TO_PROJECT
        : `${p.last ? `\`envoy show ${p.last}\` shows the last one of that name. ` : ""}Run \`envoy inbox\` for what is open.`,
  }),
  ambiguous_id: define<{ given: string; candidates: string[] }>({
    exit: EXIT.usage,
    when: "a shortened id or a key fits more than one gate",
    message: (p) => `${JSON.stringify(p.given)} may mean ${p.candidates.join(" or ")}.`,
    suggestion: (p) => `Give one of them whole, such as \`${p.candidates[0]}\`.`,
  }),
  gate_ended: define<{ gate: string; gate_id: string; how: string }>({
    exit: EXIT.state,
    when: "a gate that has ended is to be answered or withdrawn",
    message: (p) => `The gate ${p.gate} (${p.gate_id}) has ended already: it was ${p.how}.`,
    suggestion: (p) => `Its result: \`envoy wait ${p.gate_id}\`.`,
  }),
  unknown_field: define<{ gate: string; issues: Issue[] }>({
    exit: EXIT.usage,
    when: "`--set` names a field that the form does not have, or not only once",
    message: (p) => p.issues.map(({ path, message }) => `${path}: ${message}`).join(" "),
    suggestion: (p) => `\`envoy show ${p.gate}\` lists the form's fields.`,
  }),
  not_ready: define<{ gate: string; missing: string[] }>({
    exit: EXIT.deadline,
    when: "the deadline passed before everything a gate asks about was ready; no form was opened",
    message: (p) => `${p.gate} could not be asked: ${p.missing.join(", ")} not ready when the time was over.`,
    suggestion: () => "`envoy plan list-prompts` shows how far each is. Finish what is missing, then run the gate's command again.",
  }),
  no_prompts: define<{ directory: string }>({
    exit: EXIT.state,
    when: "the plan has no prompts to ask about",
    message: (p) => `The plan in ${p.directory} has no prompts yet.`,
    suggestion: () => "Write them with `envoy plan write-prompt <n> --description …`.",
  }),
  prompt_not_implemented: define<{ prompt_id: string; status: string; command: string }>({
    exit: EXIT.state,
    when: "a prompt is to be tested that is not implemented, or is finished already",
    message: (p) => `Prompt ${p.prompt_id} is ${p.status}; only an implemented or reviewed prompt can be tested.`,
    suggestion: (p) => `When it is implemented, run \`${p.command}\`.`,
  }),
};
