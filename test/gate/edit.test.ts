// `envoy answer … --edit`: a person writes into the form itself, in the editor they have, and reads what came of it.
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BINARY, type Run, envoy } from "../support/envoy.ts";
import { DONE, type PlannedProject, plannedProject } from "../support/planned.ts";
import { temporaryFolder } from "../support/project.ts";
import { APPROVAL, qualityProject } from "../support/quality.ts";
import { WAITS } from "../support/waiter.ts";

/** An editor that is this script; it writes down which file it was given. */
function editorThat(script: string): { editor: string; opened: () => string } {
  const folder = temporaryFolder();
  const editor = join(folder, "editor.sh");
  writeFileSync(editor, `#!/bin/sh\nprintf %s "$1" > '${folder}/opened'\n${script}\n`);
  chmodSync(editor, 0o755);
  return { editor, opened: () => (existsSync(join(folder, "opened")) ? readFileSync(join(folder, "opened"), "utf8") : "") };
}
const FINISHES = `sed -i 's/^done: false/done: true/' "$1"`;

async function asked(): Promise<PlannedProject> {
  const project = await plannedProject();
  await project.gate("--wait", "1ms").end;
  return project;
}
const edit = (project: { root: string }, editor: string, ...more: string[]): Promise<Run> =>
  envoy(["answer", "plan_gate", "--edit", ...more], { cwd: project.root, env: { EDITOR: editor } });

describe("a person who edits a gate's form through envoy", () => {
  test("gets the form itself in the editor, and reads that the answer was taken and what it was", async () => {
    const project = await asked();
    const { editor, opened } = editorThat(`sed -i 's/^thoughts: |$/thoughts: |\\n  Begin with the tests/' "$1"\n${FINISHES}`);
    const { json, code } = await edit(project, editor);
    expect(code).toBe(0);
    expect(opened()).toBe(project.form());
    expect(json.data).toMatchObject({
      gate: "plan_gate",
      accepted: true,
      summary: "The person approved the plan.",
      result: { thoughts: "Begin with the tests", proceed: true },
    });
    expect((await project.gate().end).json.data).toMatchObject({ gate_id: json.data.gate_id, proceed: true });
    expect(project.forms()).toEqual([]);
  });

  test("ends the wait of the agent", async () => {
    const project = await plannedProject();
    const waiter = project.gate();
    await waiter.says(WAITS);
    expect((await edit(project, editorThat(FINISHES).editor)).json.data).toMatchObject({ accepted: true });
    expect((await waiter.end).json.data).toMatchObject({ proceed: true });
  });

  test("reads what is wrong when it was handed back, also when nothing is mended the second time", async () => {
    const project = await asked();
    for (const script of [`sed -i 's/^done: false/done: perhaps/' "$1"`, "true"]) {
      const { json, code, stderr } = await edit(project, editorThat(script).editor);
      expect(code).toBe(4);
      expect(json.error).toMatchObject({
        type: "invalid_feedback",
        suggestion: expect.stringMatching(/`envoy answer g_\w+ --edit`/),
        issues: [{ file: project.form(), path: "done", message: expect.stringContaining("perhaps") }],
      });
      const [{ line, column }] = json.error.issues;
      expect(stderr.split(`${project.form()}:${line}:${column}: `)).toHaveLength(2);
    }
  });

  test("reads that it is not finished, and what to do, when done was left false", async () => {
    const project = await asked();
    const { json, code } = await edit(project, editorThat("true").editor);
    expect(code).toBe(0);
    expect(json.data).toMatchObject({ accepted: false, form: "untouched", file: project.form() });
    expect(json.data.next).toMatch(/done: true.*envoy answer g_\w+ --edit/);
  });

  test("is told where logs go before the editor opens", async () => {
    const project = await plannedProject();
    await project.data("plan", "complete-prompt", "1");
    await project.envoy("plan", "block-prompt-testing-gate", "1", "--wait", "1ms");
    const env = { EDITOR: editorThat(`sed -i 's/^test_passed: null/test_passed: true/' "$1"\n${FINISHES}`).editor };
    const { json, stderr } = await envoy(["answer", "1_testing", "-e"], { cwd: project.root, env });
    expect(stderr).toContain(join(project.plan, "user_feedback/1_testing_logs.md"));
    expect(json.data).toMatchObject({ accepted: true, result: { passed: true } });
  });

  test("learns that what was saved came too late when the gate was withdrawn meanwhile, and where it lies", async () => {
    const project = await asked();
    const withdraw = `cp "$1" '${project.root}/kept'; '${process.execPath}' '${BINARY}' withdraw plan_gate; cp '${project.root}/kept' "$1"`;
    const { json, stderr } = await edit(project, editorThat(`${withdraw}\n${FINISHES}`).editor);
    expect(json.error).toMatchObject({ type: "gate_ended", message: expect.stringContaining("withdrawn") });
    expect(stderr).toContain(`changes nothing; it lies in ${project.form()}`);
  });

  test("approves a task's change in the same way", async () => {
    const project = qualityProject([APPROVAL]);
    project.mend();
    expect((await project.gates("--wait", "1ms")).code).toBe(75);
    const { inbox } = (await project.run("inbox")).json.data;
    const { editor, opened } = editorThat(`sed -i 's/^decision: null/decision: approve/' "$1"\n${FINISHES}`);
    const { json } = await envoy(["answer", inbox[0].gate_id, "--edit"], { cwd: project.root, env: { VISUAL: editor, EDITOR: "false" } });
    expect(opened()).toBe(inbox[0].file);
    expect(json.data).toMatchObject({ gate: inbox[0].gate, accepted: true });
  });
});

describe("nothing is opened", () => {
  test("when an editor fails, and the form stays as it was", async () => {
    const project = await asked();
    const before = project.readForm();
    const { json, code } = await edit(project, "false");
    expect([json.error.type, code]).toEqual(["editor_failed", 5]);
    expect(project.readForm()).toBe(before);
  });

  test("for an agent", async () => {
    const project = await asked();
    const { editor, opened } = editorThat(FINISHES);
    const env = { EDITOR: editor, ENVOY_AGENT_ID: "a1" };
    const { json } = await envoy(["answer", "plan_gate", "--edit"], { cwd: project.root, env });
    expect(json.error.type).toBe("agent_may_not_answer");
    expect(opened()).toBe("");
  });

  test.each([[["--done"]], [["--set", "thoughts=x"]], [["a text"]], [["--answered-by", "ci"]]])(
    "together with %j, which would be lost",
    async (more) => {
      const project = await asked();
      const { editor, opened } = editorThat(FINISHES);
      expect((await edit(project, editor, ...more)).json.error.type).toBe("conflicting_flags");
      expect(opened()).toBe("");
    },
  );

  test("of a gate that has ended", async () => {
    const project = await asked();
    const { gate_id } = (await project.data("inbox")).inbox[0];
    project.save(DONE);
    await project.gate().end;
    const { editor, opened } = editorThat(FINISHES);
    const { json } = await envoy(["answer", gate_id, "--edit"], { cwd: project.root, env: { EDITOR: editor } });
    expect(json.error.type).toBe("gate_ended");
    expect(opened()).toBe("");
  });
});
