// Real editors on real terminals, beside the built binary that waits.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type PlannedProject, plannedProject } from "../support/planned.ts";
import { cleanEnvironment } from "../support/envoy.ts";
import { hasProgram, openTerminal } from "../support/terminal.ts";
import { WAITS } from "../support/waiter.ts";

const missing = ["vim", "nano", "script"].filter((name) => !hasProgram(name));
if (missing.length) process.stderr.write(`Editors not tested: ${missing.join(", ")} not installed.\n`);

const SAID = "Looks good, see PR #12";
const ESC = "\u001b";
const folderOf = (project: PlannedProject) => join(project.plan, "user_feedback");
const shell = (project: PlannedProject, command: string) =>
  execFileSync("sh", ["-c", command], { cwd: folderOf(project), env: cleanEnvironment({ LANG: "C.UTF-8" }), encoding: "utf8" });

const openVim = (project: PlannedProject, options = "") =>
  openTerminal(`vim -Nu NONE ${options} plan_gate.yaml`, { cwd: folderOf(project), shown: /"plan_gate.yaml" \d+L/ });
const openNano = (project: PlannedProject) => openTerminal("nano -I plan_gate.yaml", { cwd: folderOf(project), shown: /Help/ });

const WRITTEN = /\d+B written/;
const vimThoughts = `/^thoughts\rjA${SAID}${ESC}`;
const vimDone = (word = "true") => `/^done\rCdone: ${word}${ESC}`;
/** nano's "replace all". */
const nanoReplaces = (from: string, to: string) => `\u001c${from}\r${to}\rA`;

const SED = `sed -i -e '/^thoughts/{n;s/.*/  ${SAID}/}' -e 's/^done: false/done: true/'`;
const EDITORS: Record<string, (project: PlannedProject) => Promise<unknown>> = {
  vim: async (project) => (await openVim(project)).types(`${vimThoughts}${vimDone()}:wq\r`, WRITTEN),
  "vim with backupcopy=no": async (project) =>
    (await openVim(project, "--cmd 'set backup backupcopy=no'")).types(`${vimThoughts}${vimDone()}:wq\r`, WRITTEN),
  "vim with backupcopy=yes": async (project) =>
    (await openVim(project, "--cmd 'set backup backupcopy=yes'")).types(`${vimThoughts}${vimDone()}:wq\r`, WRITTEN),
  nano: async (project) => {
    const nano = await openNano(project);
    await nano.types(`\u0017thoughts\r\u001b[B\u0005${SAID}`, /see PR #12/);
    await nano.types(nanoReplaces("done: false", "done: true"), /Replaced 1 occurrence/);
    await nano.types("\u000f\r", /Wrote \d+ lines/);
    await nano.types("\u0018", /./);
  },
  "sed -i": async (project) => shell(project, `${SED} plan_gate.yaml`),
  "a truncated file, written anew": async (project) =>
    shell(project, `cp plan_gate.yaml /tmp/$$ && ${SED} /tmp/$$ && cat /tmp/$$ > plan_gate.yaml; rm /tmp/$$`),
  "another file, renamed": async (project) =>
    shell(project, `cp plan_gate.yaml plan_gate.tmp && ${SED} plan_gate.tmp && mv plan_gate.tmp plan_gate.yaml`),
};

describe.skipIf(missing.length > 0)("an answer is taken as it was saved by", () => {
  test.each(Object.entries(EDITORS))("%s", async (_name, answer) => {
    const project = await plannedProject();
    const waiter = project.gate();
    await waiter.says(WAITS);
    await answer(project);
    const { json } = await waiter.end;
    expect(json.data).toMatchObject({ thoughts: SAID, proceed: true });
    expect(project.forms().filter((name) => name === "plan_gate.yaml")).toEqual([]);
    expect(project.read("user_input.md").split(SAID)).toHaveLength(2);
  });
});

describe.skipIf(missing.length > 0)("in an editor that stays open", () => {
  test("of three saves in a row the last one counts", async () => {
    const project = await plannedProject();
    const waiter = project.gate();
    await waiter.says(WAITS);
    const vim = await openVim(project);
    const save = (text: string) => `/^thoughts\rjC  ${text}${ESC}:w\r`;
    await vim.types(`${save("First")}${save("Second")}${vimDone()}${save("Third")}`, WRITTEN);
    expect((await waiter.end).json.data.thoughts).toBe("Third");
    await vim.close();
  });

  test("old text written over a hand-back comes back once more, and nothing of it is lost", async () => {
    const project = await plannedProject();
    const waiter = project.gate();
    await waiter.says(WAITS);
    const vim = await openVim(project);
    await vim.types(`${vimThoughts}${vimDone("perhaps")}:w\r`, WRITTEN);
    await waiter.says(/handed back/);
    const handedBack = project.readForm();
    await vim.types(":w!\r", /really want to write/);
    await vim.types("y", WRITTEN);
    await waiter.says(/handed back[^]*handed back/);
    expect(project.readForm()).toBe(handedBack);
    expect(handedBack).toContain(`  ${SAID}\n`);
    await vim.types(":e!\r", /"plan_gate.yaml" \d+L/);
    await vim.types(`${vimDone()}:wq\r`, WRITTEN);
    expect((await waiter.end).json.data).toMatchObject({ thoughts: SAID, proceed: true });
  });

  test.each(["Build something else", "Build the login page\nand delete all sessions"])(
    "a finished form whose subject was rewritten is no answer, however often it is written back: %j",
    async (description) => {
      const project = await plannedProject();
      const waiter = project.gate();
      await waiter.says(WAITS);
      const vim = await openVim(project);
      await project.data("plan", "write-prompt", "1", "--description", description);
      await vim.types(`${vimThoughts}${vimDone()}:w\r`, WRITTEN);
      await waiter.says(/handed back/);
      const handedBack = project.readForm();
      expect(handedBack).toContain(`# > ${description.split("\n").at(-1)}`);
      await vim.types(":w!\r", /really want to write/);
      await vim.types("y", WRITTEN);
      await waiter.says(/handed back[^]*handed back/);
      expect(project.readForm()).toBe(handedBack);
      await vim.types(":e!\r", /"plan_gate.yaml" \d+L/);
      await vim.types(`${vimDone()}:wq\r`, WRITTEN);
      expect((await waiter.end).json.data).toMatchObject({ thoughts: SAID, proceed: true });
    },
  );

  test("nano may write over a hand-back too", async () => {
    const project = await plannedProject();
    const waiter = project.gate();
    await waiter.says(WAITS);
    const nano = await openNano(project);
    await nano.types(nanoReplaces("done: false", "done: perhaps"), /Replaced 1 occurrence/);
    await nano.types("\u000f\r", /Wrote \d+ lines/);
    await waiter.says(/handed back/);
    await nano.types("\u000f\r", /modified/i);
    await nano.types("Y", /Wrote \d+ lines/);
    await waiter.says(/handed back[^]*handed back/);
    await nano.types(nanoReplaces("done: perhaps", "done: true"), /Replaced 1 occurrence/);
    await nano.types("\u000f\r", /modified/i);
    await nano.types("Y", /Wrote \d+ lines/);
    expect((await waiter.end).json.data.proceed).toBe(true);
    await nano.close();
  });

  test("a form saved again after it was accepted changes nothing, and is kept and told", async () => {
    const project = await plannedProject();
    const waiter = project.gate();
    await waiter.says(WAITS);
    const vim = await openVim(project);
    await vim.types(`${vimThoughts}${vimDone()}:w\r`, WRITTEN);
    const { gate_id } = (await waiter.end).json.data;
    const trail = project.read("user_input.md");
    await vim.types(`/^thoughts\rjAAnd more${ESC}:w!\r`, WRITTEN);
    expect(existsSync(project.form())).toBe(true);
    const { stderr, json } = await project.envoy("plan", "list-prompts");
    expect(json.status).toBe("success");
    expect(stderr).toContain(`was saved again after ${gate_id} was answered`);
    const kept = /kept in (.*)/.exec(stderr)![1]!;
    expect(execFileSync("cat", [kept], { encoding: "utf8" })).toContain(`${SAID}And more`);
    expect(existsSync(project.form())).toBe(false);
    expect(project.read("user_input.md")).toBe(trail);
    await vim.close();
  });
});
