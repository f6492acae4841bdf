import { cpSync, existsSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { envoy } from "../support/envoy.ts";
import { type PlannedProject, plannedProject } from "../support/planned.ts";
import { git, temporaryFolder } from "../support/project.ts";

/** A gate whose form a person has finished while nobody waited: what is left to do is take, apply and deliver. */
interface Scene {
  command: string[];
  /** Recovery is killed at every step too; what it does is the same for all gates but for their changes. */
  recovery?: boolean;
  prepare: (project: PlannedProject) => Promise<void>;
}

const SCENES: Record<string, Scene> = {
  "the plan gate": {
    command: ["plan", "block-plan-gate"],
    recovery: true,
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
    recovery: true,
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

describe.each(Object.entries(SCENES))("%s, killed at every step", (_name, { command, prepare, recovery }) => {
  test("ends with the same files and the same result as if nothing had happened", async () => {
    const project = await plannedProject();
    await prepare(project);
    const stage = new Stage(project);
    const undisturbed = await stage.finish();
    expect(undisturbed.result.status).toBe("success");

    const steps = await stage.killEach(command, async () => expect(await stage.finish()).toEqual(undisturbed));
    expect(steps).toBeGreaterThan(20);
    if (!recovery) return;
    // Half-way: the answer is recorded and nothing applied.
    stage.restore();
    await stage.run(command, "gate.change=kill");
    stage.snapshot();
    await stage.killEach(command, async () => expect(await stage.finish()).toEqual(undisturbed));
  }, 400_000);
});

test("a gate that is killed at every step of opening is opened once, and can be answered and withdrawn", async () => {
  const project = await plannedProject();
  const stage = new Stage(project);
  const opening = ["plan", "block-plan-gate", "--wait", "1ms"];
  const steps = await stage.killEach(opening, async (step) => {
    expect((await stage.run(opening)).json.status).toBe("pending");
    const { inbox } = (await stage.run(["inbox"])).json.data;
    expect(inbox).toHaveLength(1);
    expect(project.forms().filter((name) => !name.endsWith(".tmp"))).toEqual(["plan_gate.yaml"]);
    const end = step % 2 ? await stage.run(["answer", "plan_gate", "--done"]) : await stage.run(["withdraw", "plan_gate"]);
    expect(end.json.status).toBe("success");
    expect(project.forms().filter((name) => !name.endsWith(".tmp"))).toEqual([]);
  });
  expect(steps).toBeGreaterThan(20);
}, 400_000);

/** A project that can be put back to where it was. */
class Stage {
  readonly #root: string;
  readonly #gate: string;
  #copy = "";

  constructor(project: PlannedProject) {
    this.#root = project.root;
    this.#gate = openGateOf(project.root);
    this.snapshot();
  }

  snapshot(): void {
    this.#copy = join(temporaryFolder(), "copy");
    cpSync(this.#root, this.#copy, { recursive: true, preserveTimestamps: true });
  }

  restore(): void {
    for (const name of readdirSync(this.#root)) rmSync(join(this.#root, name), { recursive: true });
    cpSync(this.#copy, this.#root, { recursive: true, preserveTimestamps: true });
    for (const file of filesBelow(this.#copy)) {
      const { mtime } = statSync(join(this.#copy, file));
      utimesSync(join(this.#root, file), mtime, mtime);
    }
  }

  run(command: string[], failpoint = "") {
    return envoy(command, { cwd: this.#root, env: { ENVOY_FAILPOINT: failpoint } });
  }

  /** Kills a run at the 1st step, the 2nd, … until one gets through. */
  async killEach(command: string[], check: (step: number) => Promise<void>): Promise<number> {
    for (let step = 1; ; step++) {
      this.restore();
      const { signal } = await this.run(command, `#${step}=kill`);
      if (signal !== "SIGKILL") return step - 1;
      await check(step);
    }
  }

  /** What one more run finds. It asks for the gate by its id: the killed one may have delivered the result already. */
  async finish() {
    const run = await this.run(["wait", this.#gate]);
    const refs = git(this.#root, "for-each-ref", "--format=%(refname) %(tree) %(parent)"); // rescue commits carry their time
    return { result: run.json, files: this.#files(), refs, worktrees: git(this.#root, "worktree", "list") };
  }

  /** Everything but envoy's own state, which may tell of the kill. */
  #files(): Record<string, string> {
    const names = filesBelow(join(this.#root, ".envoy")).filter(
      (name) => !/^(state|events\.jsonl)/.test(name) && !/\.tmp$|\.json$/.test(name),
    );
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(this.#root, ".envoy", name), "utf8")]));
  }
}

function openGateOf(root: string): string {
  const folder = join(root, ".envoy/state/gates");
  return (existsSync(folder) && readdirSync(folder).find((name) => name.startsWith("g_"))) || "";
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
