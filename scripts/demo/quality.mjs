// Quality gates: the agent says it is done, its tests fail, feedback, a fix, a review, a person's approval.
import { cpSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { answerForm } from "./person.mjs";
import { expect } from "./stage.mjs";

const fixtures = resolve(import.meta.dirname, "../../fixtures");

export async function qualityGates(stage) {
  const { title, envoy, folder, print } = stage;
  title("Quality gates: what runs when an agent says that it is done");
  cpSync(join(fixtures, "quality-project"), folder, { recursive: true });
  const gates = [
    `{ name: tests, type: command, command: "node --test", serial: true }`,
    `{ name: code_review, type: parallel_review, dimensions: [correctness, security], reviewer: "node ${join(fixtures, "reviewers/finds.mjs")}" }`,
    `{ name: approval, type: human, prompt: "May this be merged?" }`,
  ];
  writeFileSync(join(folder, ".envoy/config.yaml"), `gates:\n  formula: none\n  list:\n${gates.map((gate) => `    - ${gate}\n`).join("")}`);
  await envoy(["gates", "validate"]);
  await envoy(["task", "set", "sum", "--title", "Add two numbers", "--status", "building"]);

  title("Round 1: the tests fail; the feedback is the agent's next prompt");
  const failed = await envoy(["checkpoint", "--task", "sum", "--done", "--summary", "Added sum()"], { exit: 10 });
  expect(failed.next_agent.kind === "same", "the same agent was to go on");
  print(`\n${failed.next_agent.prompt.split("\n").slice(0, 8).join("\n")}\n…`);

  title("Round 2: the agent mends it; tests and reviewers pass, and a person is asked");
  writeFileSync(join(folder, "src/sum.js"), "export const sum = (a, b) => a + b;\n");
  const pending = await envoy(["checkpoint", "--task", "sum", "--done", "--wait", "1ms"], { exit: 75 });
  expect(pending.gate === "sum_approval", "a person was to be asked");

  title("The agent goes on waiting: nothing runs again, and the person approves");
  const waiting = stage.start(["gates", "run", "--task", "sum"]);
  const saves = [
    [
      ["decision: null", "decision: approve"],
      ["comment: |\n  ", "comment: |\n  Short and right."],
      ["done: false", "done: true"],
    ],
  ];
  await answerForm({ ...stage, plan: join(folder, ".envoy") }, [waiting], { key: "sum_approval", saves });
  const { code, document } = await waiting.end;
  print(`\n${JSON.stringify(document, null, 2)}`);
  expect(stage.me || code === 0, `the gates ended with ${code}`);

  title("The merge queue");
  await envoy(["task", "list", "--status", "ready_to_merge"]);
}
