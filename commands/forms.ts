// Every form that a gate can show, with an example: `npm run schemas` writes JSON Schemas and user_feedback/ from here.
import type { Field, FormContract } from "../src/form/index.ts";
import { gate as questionGate } from "../src/questions/question-gate.ts";
import { gate as auditQuestions } from "./gemini/audit-questions.ts";
import { gate as reviewQuestions } from "./gemini/review-questions.ts";
import { gate as loggingGate } from "./plan/block-debugging-logging-gate.ts";
import { gate as findingsGate } from "./plan/block-findings-gate.ts";
import { gate as planGate } from "./plan/block-plan-gate.ts";
import { gate as testingGate } from "./plan/block-prompt-testing-gate.ts";
import { gate as variantsGate } from "./plan/block-prompt-variants-gate.ts";
import { gate as humanGate } from "../src/quality/human-gate.ts";
import { gate as stuckGate } from "../src/quality/stuck-gate.ts";

interface Shown {
  kind: string;
  title: string;
  answers: FormContract["answers"];
}

function contract({ kind, title, answers }: Shown, fields: readonly Field[], about = "feature/login"): FormContract {
  const waits = about === "feature/login" ? ", who waits 12 h." : ". There is no deadline.";
  const asked = `${title} of ${about}. Asked by planner on 18 Nov 10:02${waits}`;
  return { key: kind, answers, example: { key: kind, title: [asked], fields } };
}

const passkeys = "Passkeys: WebAuthn in the browser, no password field.";
const mail = "A link by mail: nothing to remember, but slow.";
const frontend = (variant: string, description: string, questions: string[] = []) => ({
  key: `frontend_1_${variant}`,
  specialist: "frontend",
  approach: { number: 1, variant },
  description,
  questions,
});
const backend = {
  key: "backend_1",
  specialist: "backend",
  approach: { number: 1, variant: null },
  description: "Sessions in Redis.",
  questions: [],
};
const reviewed = {
  verdict: "changes",
  thoughts: "The order of the prompts is sound. Prompt 3 cannot be checked as it stands.",
  clarifying_questions: ["Prompt 3 has no success criteria: what defines done?"],
};

const question: FormContract = {
  key: questionGate.kind,
  answers: questionGate.answers,
  example: {
    key: questionGate.kind,
    title: [
      "BLOCKING QUESTION about task login. Asked by builder-1 on 18 Nov 10:02, who waits 15 min.",
      "This agent is halted until it is answered or withdrawn.",
    ],
    fields: questionGate.template({
      prompt: "Which database?",
      context: "Both are in use elsewhere.",
      type: "BLOCKING",
      halts: "agent",
      agent_id: "builder-1",
      expected_answer: { kind: "single_choice", choices: ["Postgres", "SQLite"] },
      recommended: "SQLite",
      on_timeout: "block",
    }),
  },
};

const change = {
  task: { id: "login", title: "Login page" },
  directory: "/home/you/shop",
  summary: " src/login.ts | 12 +++++++++---\n 1 file changed, 9 insertions(+), 3 deletions(-)",
  command: "git add -AN && git diff 5d67312b7302",
};

export const FORMS: readonly FormContract[] = [
  question,
  contract(
    findingsGate,
    findingsGate.template([backend, frontend("A", passkeys, ["SSR or CSR for this component?"]), frontend("B", mail)]),
  ),
  contract(
    planGate,
    planGate.template({
      prompts: [
        { prompt_id: "1", description: "Keep sessions in Redis" },
        { prompt_id: "2_A", description: "The login form with passkeys" },
        { prompt_id: "2_B", description: "The login form with a link by mail" },
      ],
      specialists: [],
    }),
  ),
  contract(
    testingGate,
    testingGate.template({
      prompt: { number: 2, variant: "A" },
      description: "The login form with passkeys",
      success_criteria: "A registered passkey logs in; an unknown one does not.",
    }),
  ),
  contract(
    variantsGate,
    variantsGate.template({
      number: 2,
      feature: "feature/login",
      debug: false,
      variants: [
        { variant: "A", description: passkeys, branch: "feature/login--2A" },
        { variant: "B", description: mail, branch: "feature/login--2B" },
      ],
    }),
  ),
  contract(loggingGate, loggingGate.template({ prompt: { number: 3, variant: null }, description: "Login hangs on Safari" })),
  contract(auditQuestions, auditQuestions.template(reviewed)),
  contract(reviewQuestions, reviewQuestions.template({ ...reviewed, prompt: { number: 2, variant: "A" } })),
  contract(
    humanGate,
    humanGate.template({
      ...change,
      gate: "human_approval",
      prompt: "Review and approve this change",
      iteration: 1,
      results: [{ name: "tests", outcome: "passed", duration_ms: 4200, findings: [], summary: "`npm test` passed" }],
      basis: "an example",
      asked_at: "2026-11-18T10:02:00.000Z",
    }),
    "task login",
  ),
  contract(
    stuckGate,
    stuckGate.template({
      ...change,
      iteration: 3,
      feedback: [
        {
          gate_name: "tests",
          findings: [{ priority: "P1", issue: "`npm test` failed with exit code 1" }],
          summary: "`npm test` failed with exit code 1",
          suggested_action: "Mend what `tests` says.",
        },
      ],
    }),
    "task login",
  ),
];
