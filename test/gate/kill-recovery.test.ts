import { describe, expect, test } from "vitest";
import { FINISHED_GATES, openScene } from "../support/finished-gates.ts";

describe.each(Object.entries(FINISHED_GATES))(
  "%s, whose answer is recorded and nothing of it applied, killed at every step of recovery",
  (_name, scene) => {
    test("ends with the same files and the same result as if nothing had happened", async () => {
      const { stage, endsAsIfNothingHappened } = await openScene(scene);
      stage.restore();
      expect((await stage.run(scene.command, "gate.change=kill")).signal).toBe("SIGKILL");
      stage.snapshot();
      expect(await stage.killEach(scene.command, endsAsIfNothingHappened)).toBeGreaterThan(10);
    }, 400_000);
  },
);
