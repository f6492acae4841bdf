import { describe, expect, test } from "vitest";
import { FINISHED_GATES, openScene } from "../support/finished-gates.ts";
import { plannedProject } from "../support/planned.ts";
import { Stage } from "../support/stage.ts";

describe.each(Object.entries(FINISHED_GATES))("%s, killed at every step", (_name, scene) => {
  test("ends with the same files and the same result as if nothing had happened", async () => {
    const { stage, endsAsIfNothingHappened } = await openScene(scene);
    expect(await stage.killEach(scene.command, endsAsIfNothingHappened)).toBeGreaterThan(20);
  }, 400_000);
});

test.each([
  ["plan_gate", ["plan", "block-plan-gate"], ["plan_gate.yaml"]],
  ["1_logging", ["plan", "block-debugging-logging-gate", "1"], ["1_logging.yaml", "1_logging_logs.md"]],
])(
  "%s, killed at every step of opening, is opened once, and can be answered and withdrawn",
  async (key, command, files) => {
    const project = await plannedProject();
    const forms = () => project.forms().filter((name) => !name.endsWith(".tmp"));
    const stage = new Stage(project);
    const opening = [...command, "--wait", "1ms"];
    const steps = await stage.killEach(opening, async (step) => {
      expect((await stage.run(opening)).json.status).toBe("pending");
      const { inbox } = (await stage.run(["inbox"])).json.data;
      expect(inbox).toHaveLength(1);
      expect(forms()).toEqual(files);
      const end = step % 2 ? await stage.run(["answer", key, "--done"]) : await stage.run(["withdraw", key]);
      expect(end.json.status).toBe("success");
      expect(forms()).toEqual([]);
    });
    expect(steps).toBeGreaterThan(20);
  },
  400_000,
);
