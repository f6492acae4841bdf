// What keeps quality gates from being run at all; a gate's own verdict is no error.
import { EXIT, type Issue, define } from "./error-definition.ts";
import { located } from "./system-errors.ts";

export const QUALITY_ERRORS = {
  invalid_gates: define<{ file: string; issues: Issue[] }>({
    exit: EXIT.data,
    when: "the configured gates cannot be run: a gate without a command, a key that does not fit its type, a wrong `when`",
    message: (p) => `The gates of ${p.file} cannot be run: ${located(p.issues)}`,
    suggestion: () => "Correct what `issues` names; `envoy gates init` writes all gates out, `envoy gates validate` checks them.",
  }),
  not_a_work_tree: define<{ directory: string }>({
    exit: EXIT.state,
    when: "gates were to run outside git: results hold for one tree, and reviewers read a diff",
    message: (p) => `Gates need a working folder of git, and ${p.directory} is none.`,
    suggestion: () => "Run `git init` there, or record where the work lies: `envoy task set <id> --dir PATH`.",
  }),
  task_awaiting_input: define<{ task_id: string; question_id: string }>({
    exit: EXIT.state,
    when: "the task has an open blocking question, so its gates do not run",
    message: (p) => `Task ${p.task_id} waits for the answer to ${p.question_id}; no gate runs before that.`,
    suggestion: (p) => `Wait for it with \`envoy wait ${p.question_id}\`.`,
  }),
  form_taken: define<{ file: string; task_id: string; other: string; gate_id: string }>({
    exit: EXIT.state,
    when: "the names of two tasks and their gates add up to the same form, and the other's is open",
    message: (p) => `${p.file} is open for task ${p.other}, so task ${p.task_id} cannot ask in it.`,
    suggestion: (p) => `Wait for it with \`envoy wait ${p.gate_id}\`, or name the gate differently.`,
  }),
  no_task: define<{ directory: string }>({
    exit: EXIT.state,
    when: "no task was named, and no branch is checked out that could say which is meant",
    message: (p) => `No task is named, and no branch is checked out in ${p.directory}.`,
    suggestion: () => "Name it with `--task ID` or ENVOY_TASK_ID.",
  }),
  reviewer_failed: define<{ reason: string }>({
    exit: EXIT.outside,
    when: "the reviewer of a plan is missing, fails, or gives no answer that can be read",
    message: (p) => `The reviewer gave no answer: ${p.reason}.`,
    suggestion: () =>
      "Install it or mend what is named, or give another command by `--reviewer`; docs/reviewers.md says what it must print.",
  }),
};
