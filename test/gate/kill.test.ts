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
