// The five gates, each as an agent and a person live through it.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { answerForm, answerUnattended } from "./person.mjs";
import { expect } from "./stage.mjs";

const DONE = ["done: false", "done: true"];

/** Starts a gate, lets the person answer, shows the JSON. */
async function ask(stage, args, answers) {
  const waiting = stage.start(args);
  await answerForm(stage, [waiting], answers);
  // The one mistake that ends the command, so that the agent asks once more.
  if (stage.me && (await waiting.end).document.error?.type === "logs_too_large") return ask(stage, args, answers);
  return result(stage, waiting);
}

async function result(stage, { end }, exit = 0) {
  const { code, document } = await end;
  stage.print(`\n${JSON.stringify(document, null, 2)}`);
  expect(code === exit, `a gate ended with ${code} instead of ${exit}`);
  return document.data;
}

/** What the reader answers is the reader's business; what the script answers must come back. */
const told = ({ me }, holds, otherwise) => expect(me || holds, otherwise);

function show({ plan, print }, file) {
  const path = join(plan, file);
  print(`\n$ cat ${path}\n${existsSync(path) ? readFileSync(path, "utf8").trimEnd() : "(nobody has said anything)"}`);
}

export async function findingsGate(stage) {
  stage.title("Gate 1: which approaches stay? The agent asks, a person answers in a form");
  const data = await ask(stage, ["plan", "block-findings-gate"], {
    key: "findings_gate",
    saves: [
      [
        ["        answer: |\n          ", "        answer: |\n          Safari 16 and newer, see #12"],
        ["rejected: false\n\n# Set", "rejected: true\n\n# Set"],
        DONE,
      ],
    ],
  });
  told(stage, data.proceed === true, "the findings were not accepted");
  stage.print("\nThe answer stands in the findings, the rejected variant is gone, and the trail keeps every word:");
  show(stage, "findings/frontend.yaml");
}

export async function planGate(stage) {
  stage.title("Gate 2: is the plan right? The person makes mistakes that YAML would swallow");
  const data = await ask(stage, ["plan", "block-plan-gate"], {
    key: "plan_gate",
    saves: [
      [["user_required_plan_changes: |\n  ", "user_required_plan_changes: begin with tests, see PR #12\nand: name the owner"], DONE],
      [DONE],
    ],
  });
  told(stage, data.user_required_plan_changes === "begin with tests, see PR #12\nand: name the owner", "the text was not read as typed");
  if (data.proceed) return;
  stage.title("The agent makes the changes and asks again; an approval archives the findings");
  await stage.envoy(["plan", "write-plan", "--context", "Tests first. Owner: planner."]);
  const again = await ask(stage, ["plan", "block-plan-gate"], {
    key: "plan_gate",
    saves: [[["thoughts: |\n  ", "thoughts: |\n  Go."], DONE]],
  });
  told(stage, again.proceed === true, "the plan was not approved");
}

export async function loggingGate(stage) {
  stage.title("Gate 3: an agent that debugs needs logs from the person's machine");
  const data = await ask(stage, ["plan", "block-debugging-logging-gate", "1"], {
    key: "1_logging",
    logs: "12:01 POST /login\n12:02 timeout\n",
    saves: [[DONE]],
  });
  told(stage, data.logs?.includes("12:02 timeout"), "the logs did not arrive");
}

/** An agent's shell is cut off long before a person has tested anything; that loses nothing. */
export async function testingGate(stage) {
  stage.title("Gate 4: does it work? Agents cannot wait long: this one takes `pending` and resumes later");
  const gate = ["plan", "block-prompt-testing-gate", "2", "A"];
  const { resume } = await stage.envoy([...gate, "--wait", "1ms"], { exit: 75 });
  if (stage.me) {
    while (!(await ask(stage, gate, { key: "2A_testing" })).passed) stage.print("\nThe agent mends it and asks again:");
    return;
  }
  stage.print("\nNobody waits now. The person answers all the same, and the command in `resume` gets the answer:");
  answerUnattended(stage, { key: "2A_testing", edits: [["test_passed: null", "test_passed: yes"], DONE] });
  const { passed } = await stage.envoy(resume.split(" ").slice(1));
  expect(passed === true, "the test was not passed");
}

export async function variantsGate(stage) {
  stage.title("Gate 5: which variant wins? Two agents wait in their worktrees for one form");
  stage.showGit("branch", "--format=%(refname:short)");
  const [a, b] = ["A", "B"].map((variant) =>
    stage.start(["plan", "block-prompt-variants-gate", "2", variant], {
      cwd: join(stage.folder, ".envoy/worktrees", `feature-login--2${variant}`),
    }),
  );
  await answerForm(stage, [b, a], {
    key: "2_variants",
    saves: [
      [
        ["decision: null", "decision: main"],
        ["decision: null", "decision: rejected"],
        ["reason: |\n      \n# Set", "reason: |\n      No third party.\n# Set"],
        DONE,
      ],
    ],
  });
  stage.print("\nThe agent of A gets:");
  told(stage, (await result(stage, a)).variant_solution === "main", "A is not main");
  stage.print("\nThe agent of B gets:");
  told(stage, (await result(stage, b)).variant_solution === "discard", "B was not rejected");
  stage.showGit("branch", "--format=%(refname:short)");
  told(stage, stage.git("branch", "--list", "archive/feature/login--2B") !== "", "the rejected branch was not archived");
}

export async function trail(stage) {
  stage.title("Nothing waits for a person any more, and everything that was said stands in the audit trail");
  expect(!(await stage.envoy(["inbox", "--json"])).inbox?.length, "a gate is still open");
  show(stage, "user_input.md");
}
