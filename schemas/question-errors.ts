// What can become of questions, answers and tasks.
import { EXIT, GO_TO_PROJECT, type Issue, define, noProjectIn } from "./error-definition.ts";

export const QUESTION_ERRORS = {
  question_not_found: define<{ id: string; outside?: string }>({
    exit: EXIT.state,
    when: "no question has this id",
    message: (p) => `There is no question ${JSON.stringify(p.id)} ${p.outside ? `here: ${noProjectIn(p.outside)}` : "in this repository."}`,
    suggestion: (p) => (p.outside ? GO_TO_PROJECT : "Run `envoy questions --status all` for the list."),
  }),
  question_already_answered: define<{ question_id: string; answered_by: string; answered_at: string }>({
    exit: EXIT.state,
    when: "the question has its answer already; the first one counts",
    message: (p) => `The question ${p.question_id} was answered by ${p.answered_by} at ${p.answered_at}; that answer counts.`,
    suggestion: (p) => `See it with \`envoy show ${p.question_id}\`.`,
  }),
  question_invalid_answer: define<{ question_id: string; issues: Issue[] }>({
    exit: EXIT.data,
    when: "an answer is not of the kind, the choices or the JSON Schema that was asked for; nothing was changed",
    message: (p) => `This is no answer to ${p.question_id}: ${p.issues.map(({ message }) => message).join(" ")}`,
    suggestion: (p) => `\`envoy show ${p.question_id}\` says what is expected; the question is still open.`,
  }),
  question_conflict_open: define<{ task_id: string; open: string[]; limit: number }>({
    exit: EXIT.state,
    when: "the task has as many open blocking questions as max_open_questions_per_task allows",
    message: (p) => `Task ${p.task_id} waits for ${p.open.join(", ")} already, and max_open_questions_per_task is ${p.limit}.`,
    suggestion: (p) => `Wait for it with \`envoy wait ${p.open[0]}\`, or ask with \`--type CLARIFYING\`.`,
  }),
  question_answer_not_allowed_in_terminal_state: define<{ question_id: string; why: string }>({
    exit: EXIT.state,
    when: "the question was withdrawn, or ran out with `--on-timeout fail`; the answer is only kept in its history",
    message: (p) => `The question ${p.question_id} takes no answer any more: ${p.why}. What you said is kept in its history.`,
    suggestion: () => "If it still matters, have the agent ask again.",
  }),
  question_expired: define<{ question_id: string; expired_at: string; on_timeout: string }>({
    exit: EXIT.deadline,
    when: "nobody has answered the question in time (or an answer came after `--on-timeout fail`)",
    message: (p) => `Nobody answered ${p.question_id} by ${p.expired_at}. That is no consent.${HOW_IT_STANDS[p.on_timeout] ?? ""}`,
    suggestion: (p) =>
      p.on_timeout === "fail"
        ? `Lift it with \`envoy withdraw ${p.question_id}\`, and ask again if it still matters.`
        : `A person can still answer: \`envoy answer ${p.question_id} --edit\`. An agent does not answer; asking again with the same words begins a new period.`,
  }),
  operation_id_mismatch: define<{ operation_id: string }>({
    exit: EXIT.usage,
    when: "an operation id was used before with other arguments",
    message: (p) => `The operation id ${JSON.stringify(p.operation_id)} was used before for something else.`,
    suggestion: () => "Use a new id for a new operation, or repeat the first one exactly.",
  }),
  agent_may_not_answer: define<{ agent: string; what: string }>({
    exit: EXIT.state,
    when: "ENVOY_AGENT_ID is set, so an agent would be deciding what was put to a person",
    message: (p) => `${p.agent} is an agent, and ${p.what} is for a person.`,
    suggestion: () => "Wait for the person. A team that wants it otherwise sets human_input.agents_may_answer: true.",
  }),
  unsupported_operation: define<{ operation: string }>({
    exit: EXIT.state,
    when: "the configuration has human input switched off",
    message: (p) => `${p.operation} is not possible: human_input.enabled is false in config.yaml.`,
    suggestion: () => "Decide without a person, or set human_input.enabled: true.",
  }),
  editor_failed: define<{ editor: string; code: number | null }>({
    exit: EXIT.outside,
    when: "the editor could not be started or ended with a failure; nothing was answered",
    message: (p) => `The editor ${JSON.stringify(p.editor)} ${p.code === null ? "could not be started" : `ended with ${p.code}`}.`,
    suggestion: () => "Set ENVOY_EDITOR, VISUAL or EDITOR to an editor that waits until the file is closed.",
  }),
  task_not_found: define<{ task_id: string }>({
    exit: EXIT.state,
    when: "no task has this id",
    message: (p) => `There is no task ${JSON.stringify(p.task_id)}.`,
    suggestion: () => "Run `envoy task list`, or make it with `envoy task set <id>`.",
  }),
  task_not_awaiting_input: define<{ task_id: string; status: string }>({
    exit: EXIT.state,
    when: "a task was to be answered that has no open question",
    message: (p) => `Task ${p.task_id} awaits no input: it is ${p.status}.`,
    suggestion: () => "Run `envoy questions` for what is open.",
  }),
};

const HOW_IT_STANDS: Record<string, string> = {
  block: " The agent stays halted until somebody answers or withdraws it.",
  fail: " The agent stays halted until somebody withdraws it.",
  defer: " Nobody is halted by it any more.",
};
