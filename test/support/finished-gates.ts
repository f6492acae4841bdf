import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type PlannedProject, plannedProject } from "./planned.ts";
import { Stage } from "./stage.ts";

/** A gate whose form a person has finished while nobody waited: what is left to do is take, apply and deliver. */
interface Scene {
  command: string[];
  prepare: (project: PlannedProject) => Promise<void>;
}

export const FINISHED_GATES: Record<string, Scene> = {
  "the plan gate": {
    command: ["plan", "block-plan-gate"],
    async prepare(project) {
      await answered(project, ["plan", "block-plan-gate"], { "plan_gate --set thoughts=": "Fine by me" });
    },
  },
  "the plan gate with changes": {
    command: ["plan", "block-plan-gate"],
    async prepare(project) {
      await answered(project, ["plan", "block-plan-gate"], {
        "plan_gate --set thoughts=": "Hm",
        "plan_gate --set 2.user_required_changes=": "Use Postgres",
      });
    },
  },
  "the findings gate": {
    command: ["plan", "block-findings-gate"],
    async prepare(project) {
      await project.data(
        "plan",
        "write-approach",
        "backend",
        "1",
        "--variant",
        "A",
        "--description",
        "Redis",
        "--question",
        "Which version?",
      );
      await project.data("plan", "write-approach", "backend", "1", "--variant", "B", "--description", "Postgres");
      await project.data("plan", "write-approach", "frontend", "1", "--description", "A form");
      await answered(project, ["plan", "block-findings-gate"], {
        "findings_gate --set thoughts=": "Some notes",
        "findings_gate --set backend_1_B.rejected=": "true",
        "findings_gate --set backend_1_A.question_answers[0].answer=": "Version 7",
        "findings_gate --set frontend_1.user_required_changes=": "Add labels",
      });
    },
  },
  "the testing gate": {
    command: ["plan", "block-prompt-testing-gate", "1"],
    async prepare(project) {
      await project.data("plan", "complete-prompt", "1");
      await answered(project, ["plan", "block-prompt-testing-gate", "1"], {
        "1_testing --set thoughts=": "Works",
        "1_testing --set test_passed=": "true",
      });
    },
  },
  "the logging gate": {
    command: ["plan", "block-debugging-logging-gate", "1"],
    async prepare(project) {
      await answered(project, ["plan", "block-debugging-logging-gate", "1"], { "1_logging --set thoughts=": "See the logs" });
    },
  },
  "the variants gate": {
    command: ["plan", "block-prompt-variants-gate", "3", "A"],
    async prepare(project) {
      for (const variant of ["A", "B"]) {
        await project.data("plan", "write-prompt", "3", variant, "--description", `Variant ${variant}`);
        const { worktree } = await project.data("plan", "start-prompt", "3", variant);
        writeFileSync(join(worktree, `${variant}.txt`), "uncommitted work");
        writeFileSync(join(worktree, ".env"), "SECRET=1");
        writeFileSync(join(worktree, ".gitignore"), ".env\n");
        await project.data("plan", "complete-prompt", "3", variant);
      }
      await answered(project, ["plan", "block-prompt-variants-gate", "3", "A"], {
        "3_variants --set A.decision=": "main",
        "3_variants --set B.decision=": "rejected",
        "3_variants --set B.reason=": "Too slow",
      });
    },
  },
};

/** Fills in all fields, then saves `done: true` as an editor would, so that nobody has taken the answer yet. */
async function answered(project: PlannedProject, command: string[], fields: Record<string, string>): Promise<void> {
  expect((await project.envoy(...command, "--wait", "1ms")).json.status).toBe("pending");
  const [key] = Object.keys(fields)[0]!.split(" ");
  const sets = Object.entries(fields).flatMap(([field, value]) => ["--set", field.split("--set ")[1] + value]);
  await project.data("answer", key!, ...sets);
  project.save({ "done: false": "done: true" }, key);
}

/** The scene, ready to be killed in, and how it ends when nothing happens. */
export async function openScene({ prepare }: Scene) {
  const project = await plannedProject();
  await prepare(project);
  const stage = new Stage(project);
  const undisturbed = await stage.finish();
  expect(undisturbed.result.status).toBe("success");
  return { stage, endsAsIfNothingHappened: async () => expect(await stage.finish()).toEqual(undisturbed) };
}
