import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type TestProject, git, newProject } from "../support/project.ts";
import { WAITS, startEnvoy } from "../support/waiter.ts";

const GATE = ["plan", "block-prompt-variants-gate", "2"];
const worktree = ({ root }: TestProject, variant: string) => join(root, ".envoy/worktrees", `feature-login--2${variant}`);

/** Three variants, each tested and in a worktree of its own; C has work that was not committed. */
async function threeVariants(): Promise<TestProject> {
  const project = await newProject();
  for (const variant of ["A", "B", "C"]) {
    project.write(`prompts/2${variant}.md`, `---\nnumber: 2\nvariant: ${variant}\ndescription: Form ${variant}\nstatus: tested\n---\n`);
    await project.data("plan", "start-prompt", "2", variant);
  }
  writeFileSync(join(worktree(project, "C"), "form.ts"), "C\n");
  return project;
}

function decide(project: TestProject): void {
  let text = project.read("user_feedback/2_variants.yaml").replace("thoughts: |\n  ", "thoughts: |\n  Well done.");
  for (const decision of ["main", "accepted", "rejected"])
    text = text
      .replace("decision: null", `decision: ${decision}`)
      .replace("reads it\n    reason: |\n      \n", `reads it\n    reason: |\n      ${decision} because\n`);
  project.write("user_feedback/2_variants.yaml", text.replace("done: false", "done: true"));
}

test("six agents wait in three worktrees, two are killed, one save: one decision, each its own view of it", async () => {
  const project = await threeVariants();
  const variants = ["A", "B", "C", "A", "B", "C"];
  const waiters = variants.map((variant) => startEnvoy([...GATE, variant], { cwd: worktree(project, variant) }));
  await Promise.all(waiters.map(({ says }) => says(WAITS)));
  await Promise.all([waiters[0]!.kill(), waiters[5]!.kill()]);
  decide(project);
  const results = await Promise.all(waiters.slice(1, 5).map(async ({ end }) => (await end).json.data));
  expect(results.map(({ variant_solution }) => variant_solution)).toEqual(["alternative", "discard", "main", "alternative"]);
  expect(new Set(results.map(({ gate_id }) => gate_id)).size).toBe(1);
  for (const result of results) expect(result).toMatchObject({ thoughts: "Well done.", archived_branches: ["archive/feature/login--2C"] });
  expect(project.read("user_input.md").match(/^Well done\.$/gm)).toHaveLength(1);
  expect(git(project.root, "show", "archive/feature/login--2C:form.ts")).toBe("C");
});
