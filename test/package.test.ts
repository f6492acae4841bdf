import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { envoy } from "./support/envoy.ts";
import { folderOutsideGit, newProject } from "./support/project.ts";

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

test("the README's sixty seconds run as they stand", async () => {
  const block = /```console\n([\s\S]*?)```/.exec(readFileSync(join(root, "README.md"), "utf8"))![1]!;
  const project = await newProject({ init: false });
  const steps = [...block.matchAll(/^\$ envoy (.*)\n(.*)$/gm)];
  expect(steps.length).toBeGreaterThan(3);
  for (const [, line, shown] of steps) {
    const args = [...line!.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
    const { json } = await envoy(args, { cwd: project.root });
    const text = JSON.stringify(json)
      .replaceAll(project.root, "~/project")
      .replace(/"created_at":"[^"]*"/, '"created_at":"2026-11-18T10:02:00.000Z"');
    expect(text).toBe(shown);
  }
});

test("the demo ends by itself and shows each command with its JSON", () => {
  const shown = execFileSync(process.execPath, [join(root, "scripts/demo.mjs")], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  for (const name of ["init", "write-finding", "write-approach", "get-findings", "write-prompt", "start-prompt", "append-user-input"])
    expect(shown).toContain(`$ envoy plan ${name}`);
  expect(shown.match(/"status": "success"/g)!.length).toBeGreaterThan(12);
});

test("the lock file names no registry", () => {
  expect(readFileSync(join(root, "package-lock.json"), "utf8")).not.toContain('"resolved"');
});
