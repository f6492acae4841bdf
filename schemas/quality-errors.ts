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
  reviewer_failed: define<{ reason: string }>({
    exit: EXIT.outside,
    when: "the reviewer of a plan is missing, fails, or gives no answer that can be read",
    message: (p) => `The reviewer gave no answer: ${p.reason}.`,
    suggestion: () =>
      "Install it or mend what is named, or give another command by `--reviewer`; docs/reviewers.md says what it must print.",
  }),
};
