import { chmodSync, linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { newProject, temporaryFolder } from "../support/project.ts";

const GOOD_FINDINGS = "specialist_name: ui\nnotes: fine\napproaches:\n  - number: 1\n    description: a\n";
const GOOD_PROMPT = "---\nnumber: 1\nvariant: null\nstatus: unimplemented\n---\ntext\n";

// Nothing here succeeds in writing, so all cases can share one project.
const project = await newProject();

describe.each([
  ["bad YAML", GOOD_FINDINGS.replace("notes: fine", 'notes: "fine'), 6],
  ["a tab as indentation", GOOD_FINDINGS.replace("  - number", "\t- number"), 4],
  ["a byte order mark", `\ufeff${GOOD_FINDINGS}`, 1],
  ["CRLF line endings", GOOD_FINDINGS.replaceAll("\n", "\r\n"), 1],
  ["a wrong type", GOOD_FINDINGS.replace("number: 1", "number: one"), 4],
  ["a text where a list belongs", "specialist_name: ui\napproaches: none\n", 2],
  ["a missing key", "notes: fine\n", 1],
  ["another specialist's name", GOOD_FINDINGS.replace("ui", "backend"), 1],
  ["an approach twice", `${GOOD_FINDINGS}  - number: 1\n`, 6],
  ["a number with and without variants", `${GOOD_FINDINGS}  - number: 1\n    variant: A\n`, 6],
  ["a key twice", `${GOOD_FINDINGS}notes: again\n`, 6],
  ["an alias", GOOD_FINDINGS.replace("fine", "*fine"), 2],
  ["a tag", GOOD_FINDINGS.replace("fine", "!important"), 2],
  ["a merge key", `${GOOD_FINDINGS}<<: {a: 1}\n`, 6],
  ["a prototype key", `${GOOD_FINDINGS}__proto__: {a: 1}\n`, 6],
  ["a second document", `${GOOD_FINDINGS}---\nnotes: b\n`, 6],
  ["nothing", "", 1],
  ["a list on top", "- a\n", 1],
  ["bytes that are no UTF-8", Buffer.concat([Buffer.from("specialist_name: ui\nnotes: "), Buffer.from([0xff, 0x0a])]), 2],
  ["a NUL", "specialist_name: ui\nnotes: \0\n", 2],
  ["a nesting bomb", `specialist_name: ui\nnotes: ${"[".repeat(3000)}`, 2],
])("findings with %s", (_what, content, line) => {
  test("are reported with file, line and column by every command, and left as they are", async () => {
    const file = join(project.plan, "findings/ui.yaml");
    writeFileSync(file, content);
    for (const args of [
      ["get-findings"],
      ["get-finding-approach", "ui", "1"],
      ["write-finding", "ui", "--notes", "new"],
      ["write-approach", "ui", "2", "--description", "new"],
      ["clear-approach", "ui", "1"],
    ]) {
      const { code, issues, message } = await project.error("invalid_file", "plan", ...args);
      expect(code).toBe(4);
      expect(message).toContain(file);
      expect(issues[0]).toMatchObject({ file, line });
      expect(issues[0].column).toBeGreaterThan(0);
    }
    expect(Buffer.from(project.read("findings/ui.yaml"), "utf8")).toEqual(Buffer.from(Buffer.from(content).toString("utf8")));
  });
});

describe.each([
  ["no front matter", "just text\n", 1],
  ["an open front matter", "---\nnumber: 1\n", 1],
  ["a byte order mark", `\ufeff${GOOD_PROMPT}`, 1],
  ["CRLF line endings", GOOD_PROMPT.replaceAll("\n", "\r\n"), 1],
  ["a status nobody knows", GOOD_PROMPT.replace("unimplemented", "halfway"), 4],
  ["another number than the file's name", GOOD_PROMPT.replace("number: 1", "number: 2"), 2],
  ["bad YAML", GOOD_PROMPT.replace("status: un", "status: [un"), 5],
])("a prompt with %s", (_what, content, line) => {
  test("is reported with file, line and column by every command, and left as it is", async () => {
    project.write("prompts/1.md", content);
    const commands = [
      ["get-prompt", "1"],
      ["list-prompts"],
      ["next"],
      ["complete-prompt", "1"],
      ["write-prompt", "1", "--description", "x"],
      ["set-prompt-status", "1", "--status", "merged"],
      ["start-prompt", "1"],
    ];
    for (const args of commands) {
      const { code, issues } = await project.error("invalid_file", "plan", ...args);
      expect(code).toBe(4);
      expect(issues[0].file).toBe(join(project.plan, "prompts/1.md"));
      expect(issues[0].line).toBeGreaterThanOrEqual(Math.min(line, 4));
      expect(issues[0].column).toBeGreaterThan(0);
    }
    expect(project.read("prompts/1.md")).toBe(content);
  });
});

test("reports all mistakes of a file at once", async () => {
  const project = await newProject();
  project.write("findings/ui.yaml", "specialist_name: ui\nnotes: 12\napproaches:\n  - number: x\n    relevant_files: a\n");
  const { issues } = await project.error("invalid_file", "plan", "get-findings");
  expect(issues.map((issue) => [issue.line, issue.path])).toEqual([
    [2, "notes"],
    [4, "approaches.0.number"],
    [5, "approaches.0.relevant_files"],
  ]);
});

test("never skips a file whose name it does not understand", async () => {
  const project = await newProject();
  project.write("findings/Bad Name.yaml", GOOD_FINDINGS);
  await project.error("invalid_file", "plan", "get-findings");
  rmSync(join(project.plan, "findings/Bad Name.yaml"));
  project.write("findings/ui.yml", GOOD_FINDINGS);
  await project.error("invalid_file", "plan", "get-findings");
  project.write("prompts/first.md", GOOD_PROMPT);
  await project.error("invalid_file", "plan", "list-prompts");
});

test("reports a damaged plan.md and plan record, and keeps them", async () => {
  const project = await newProject();
  project.write("plan.md", "no front matter\n");
  await project.error("invalid_file", "plan", "get-plan");
  await project.error("invalid_file", "plan", "write-plan", "--title", "x");
  expect(project.read("plan.md")).toBe("no front matter\n");
  for (const record of ["{", '{"version":2}', '{"version":1,"branch":7}', "null"]) {
    project.write("plan.json", record);
    await project.error("invalid_file", "plan", "get-findings");
    await project.error("invalid_file", "plan", "init");
    expect(project.read("plan.json")).toBe(record);
  }
});

describe("in place of a file", () => {
  test.each<readonly [string, (file: string, elsewhere: string) => void]>([
    ["a symlink", (file: string, elsewhere: string) => symlinkSync(elsewhere, file)],
    ["a hard link", (file: string, elsewhere: string) => linkSync(elsewhere, file)],
    ["a folder", (file: string) => mkdirSync(file)],
    ["a FIFO", (file: string) => void execFileSync("mkfifo", [file])],
    ...(process.getuid?.() === 0 ? [["a device", (file: string) => void execFileSync("mknod", [file, "c", "1", "5"])] as const] : []),
  ])("%s is refused, and nothing is read or written through it", async (_what, plant) => {
    const project = await newProject();
    const elsewhere = join(temporaryFolder(), "secret.yaml");
    writeFileSync(elsewhere, GOOD_FINDINGS);
    plant(join(project.plan, "findings/ui.yaml"), elsewhere);
    for (const args of [["get-findings"], ["write-finding", "ui", "--notes", "x"]]) {
      expect(await project.error("unsafe_path", "plan", ...args)).toMatchObject({ code: 4 });
    }
    const { readFileSync } = await import("node:fs");
    expect(readFileSync(elsewhere, "utf8")).toBe(GOOD_FINDINGS);
  });

  test.each([
    ["plan.json", ["get-findings"], ["init"]],
    ["plan.md", ["get-plan"], ["write-plan", "--title", "x"]],
    ["user_input.md", ["append-user-input", "x"]],
    ["prompts/1.md", ["get-prompt", "1"], ["write-prompt", "1", "--description", "x"]],
    [".lock", ["append-user-input", "x"], ["write-plan", "--title", "x"]],
  ])("a FIFO or a symlink as %s is refused", async (name, ...commands) => {
    for (const plant of [(file: string) => symlinkSync("/etc/hostname", file), (file: string) => execFileSync("mkfifo", [file])]) {
      const project = await newProject();
      rmSync(join(project.plan, name), { force: true });
      plant(join(project.plan, name));
      for (const args of commands) expect(await project.error("unsafe_path", "plan", ...args)).toMatchObject({ code: 4 });
    }
  });

  test.each(["findings", "prompts", "user_feedback", "../../plans", "../../../.envoy"])("a file as %s is refused", async (name) => {
    const project = await newProject();
    rmSync(join(project.plan, name), { recursive: true });
    writeFileSync(join(project.plan, name), "");
    const read = { findings: "get-findings", prompts: "next" }[name] ?? "list";
    await project.error("unsafe_path", "plan", read);
    await project.error("unsafe_path", "plan", "init");
  });

  test("a symlinked folder of the plan is refused", async () => {
    const project = await newProject();
    const elsewhere = temporaryFolder();
    rmSync(join(project.plan, "findings"), { recursive: true });
    symlinkSync(elsewhere, join(project.plan, "findings"));
    await project.error("unsafe_path", "plan", "get-findings");
    await project.error("unsafe_path", "plan", "write-finding", "ui", "--notes", "x");
  });
});

if (process.getuid?.() === 0) process.stderr.write("skipped: folders that may not be written, because root may write everywhere\n");
test.skipIf(process.getuid?.() === 0)("says so where the disk refuses", async () => {
  const project = await newProject();
  chmodSync(join(project.plan, "findings"), 0o500);
  expect(await project.error("io_failed", "plan", "write-finding", "ui", "--notes", "x")).toMatchObject({ code: 5 });
});
