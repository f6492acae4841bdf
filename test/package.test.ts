import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { folderOutsideGit, newProject } from "./support/project.ts";
import { inShell } from "./support/shell.ts";
import { startEnvoy } from "./support/waiter.ts";

const root = resolve(import.meta.dirname, "..");

test("the packed package, installed elsewhere, is a working envoy with types", () => {
  const folder = folderOutsideGit();
  const npm = (cwd: string, ...args: string[]) =>
    execFileSync("npm", [...args, "--silent"], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const packed = npm(root, "pack", "--ignore-scripts", "--pack-destination", folder).trim().split("\n").at(-1)!;
  writeFileSync(join(folder, "package.json"), '{"name":"x","private":true,"type":"module"}');
  npm(folder, "install", "--no-audit", "--no-fund", "--prefer-offline", "--no-package-lock", join(folder, packed));
  const bin = join(folder, "node_modules/.bin/envoy");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(execFileSync(bin, ["--version"], { encoding: "utf8" })).toBe(`${version}\n`);
  expect(execFileSync(bin, ["--help"], { encoding: "utf8" })).toContain("envoy <command> --help");
  expect(JSON.parse(execFileSync(bin, ["plan", "init"], { cwd: folder, encoding: "utf8" }))).toMatchObject({ status: "success" });
  expect(JSON.parse(execFileSync(bin, ["plan", "write-finding", "ui", "--notes", "n"], { cwd: folder, encoding: "utf8" }))).toMatchObject({
    status: "success",
  });
  writeFileSync(
    join(folder, "use.ts"),
    `import { EnvoyError, type Issue, defineGate, step } from "envoy-gates";
const issue: Issue = { message: "x" };
export const error: EnvoyError = new EnvoyError("invalid_file", { file: "f", issues: [issue] });
export const uses = [defineGate, step];
`,
  );
  execFileSync(
    process.execPath,
    [
      join(root, "node_modules/typescript/bin/tsc"),
      "--noEmit",
      "--strict",
      "--module",
      "nodenext",
      "--skipLibCheck",
      "false",
      "--lib",
      "es2023",
      "--types",
      "node",
      "--typeRoots",
      join(root, "node_modules/@types"),
      "use.ts",
    ],
    { cwd: folder },
  );
  const used = execFileSync(process.execPath, ["-e", 'import("envoy-gates").then((m) => console.log(typeof m.EnvoyError))'], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(used.trim()).toBe("function");
});

test("the generated documentation is up to date", () => {
  execFileSync(process.execPath, [join(root, "scripts/docs.mjs"), "--check"], { stdio: "pipe" });
  expect(readFileSync(join(root, "README.md"), "utf8")).toContain("envoy plan write-finding");
});

/** A part of the README, and its blocks of one language. */
function readmePart(name: string, language: string): string {
  const [, part = ""] =
    new RegExp(`<!-- ${name}:[^]*?-->([^]*?)<!-- /${name} -->`).exec(readFileSync(join(root, "README.md"), "utf8")) ?? [];
  const [, block = ""] = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(part) ?? [];
  expect(block).not.toBe("");
  return block;
}

test("the README's sixty seconds run as they stand", async () => {
  const project = await newProject({ init: false });
  const told = (text: string) =>
    text
      .replaceAll(project.root, "~/project")
      .replace(/"created_at":"[^"]*"/, '"created_at":"2026-11-18T10:02:00.000Z"')
      .replace(/\bg_[0-9a-z]{11}\b/g, "g_7k2m9xq4twe")
      .replace(/\d+ \w+ \d\d:\d\d/, "18 Nov 10:02")
      .replace(/"waited_ms":\d+/, '"waited_ms":41000');
  const steps = [...readmePart("sixty seconds", "console").matchAll(/^\$ envoy (.*)\n([^$]*)/gm)];
  expect(steps.length).toBe(3);
  const gate = steps.pop()!;
  const wordsOf = (line = "") => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
  for (const [, line, shown] of steps) expect(told((await project.envoy(...wordsOf(line))).stdout)).toBe(shown);

  const waiter = startEnvoy(wordsOf(gate[1]), { cwd: project.root });
  expect(told(await waiter.says(/resume: .*\n/))).toBe(gate[2]);
  const form = join(project.plan, "user_feedback/plan_gate.yaml");
  const saved = readFileSync(form, "utf8")
    .replace("thoughts: |\n  ", "thoughts: |\n  Good, see PR #12")
    .replace("    user_required_changes: |\n      ", '    user_required_changes: |\n      Name the "Cancel" button.')
    .replace("done: false", "done: true");
  expect(told(saved)).toBe(readmePart("sixty seconds", "yaml"));
  writeFileSync(form, saved);
  expect(told((await waiter.end).stdout)).toBe(readmePart("sixty seconds", "json"));
});

test("the README's pipeline runs as it stands", async () => {
  const project = await newProject();
  await project.data("plan", "write-prompt", "1", "--description", "Passkey form");
  const { code, stdout } = await inShell(project.root, readmePart("in CI", "sh"));
  expect(code).toBe(0);
  expect(JSON.parse(stdout.trim().split("\n").at(-1)!)).toMatchObject({ data: { proceed: true, thoughts: "Checked by the pipeline." } });
  expect(stdout.match(/"status"/g)!.length).toBe(4);
});

test("the lock file names no registry", () => {
  expect(readFileSync(join(root, "package-lock.json"), "utf8")).not.toContain('"resolved"');
});
