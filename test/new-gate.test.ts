import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { cleanEnvironment } from "./support/envoy.ts";
import { newProject, temporaryFolder } from "./support/project.ts";

const root = resolve(import.meta.dirname, "..");
const PARTS = ["commands", "schemas", "scripts", "src", "fixtures", "package.json", "tsconfig.json", "tsconfig.build.json"];

test("a stamped gate builds and can be answered as it is", async () => {
  const copy = temporaryFolder();
  for (const part of PARTS) cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  const script = (name: string, ...args: string[]) =>
    execFileSync(process.execPath, [join(copy, "scripts", name), ...args], {
      cwd: copy,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  script("new-gate.mjs", "plan", "block-slow-rollout-gate");
  script("build.mjs");
  script("schemas.mjs");
  expect(existsSync(join(copy, "schemas/json/slow_rollout_gate.json"))).toBe(true);
  expect(readFileSync(join(copy, "user_feedback/slow_rollout_gate.yaml"), "utf8")).toContain("approved: null");
  expect(existsSync(join(copy, "fixtures/gates/slow-rollout/accept/case.json"))).toBe(true);

  const { root: cwd } = await newProject();
  const envoy = (...args: string[]) => {
    const { stdout } = spawnSync(process.execPath, [join(copy, "dist/bin/envoy.cjs"), ...args], { cwd, env: cleanEnvironment() });
    return JSON.parse(stdout.toString());
  };
  expect(envoy("plan", "block-slow-rollout-gate", "--wait", "1ms")).toMatchObject({ status: "pending" });
  expect(envoy("answer", "slow_rollout_gate", "--set", "approved=yes", "--done")).toMatchObject({ data: { accepted: true } });
  expect(envoy("plan", "block-slow-rollout-gate")).toMatchObject({
    data: { proceed: true, summary: "The person approved the slow rollout." },
  });

  const again = spawnSync(process.execPath, [join(copy, "scripts/new-gate.mjs"), "plan", "block-slow-rollout-gate"], { encoding: "utf8" });
  expect(again).toMatchObject({ status: 2, stderr: expect.stringContaining("is there already") });
});
