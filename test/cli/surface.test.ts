import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../commands/index.ts";
import { stripEmpty } from "../../src/surfaces/cli/envelope.ts";
import { BINARY, cleanEnvironment, envoy } from "../support/envoy.ts";
import { folderOutsideGit, newProject } from "../support/project.ts";

const folder = folderOutsideGit();
const run = (...args: string[]) => envoy(args, { cwd: folder });

describe("help", () => {
  test("fits one screen and tells an agent all it needs", async () => {
    const { code, stdout, stderr } = await run("--help");
    expect(code).toBe(0);
    expect(stderr).toBe("");
    const lines = stdout.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(30);
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(80);
    for (const word of ["success", "pending", "error.suggestion", "data.resume", "75 pending", "124 deadline", "-C DIR", "--json"])
      expect(stdout).toContain(word);
    for (const name of Object.keys(COMMANDS)) expect(stdout).toContain(name.split(" ").at(-1));
    expect((await run("help")).stdout).toBe(stdout);
    expect((await run("-h")).stdout).toBe(stdout);
  });

  test.each(Object.keys(COMMANDS))("of `envoy %s` shows usage, flags and an example", async (name) => {
    const { command } = await COMMANDS[name]!();
    const { code, stdout } = await run(...name.split(" "), "--help");
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: envoy ${name}`);
    expect(stdout).toContain(command.example);
    expect(command.example).toMatch(new RegExp(`^envoy ${name}\\b`));
    for (const flag of Object.keys(command.flags)) expect(stdout).toContain(`--${flag}`);
    expect((await run("help", ...name.split(" "))).stdout).toBe(stdout);
  });

  test("of a group lists its commands with a summary; of nothing known is an error", async () => {
    expect((await run("plan", "--help")).stdout).toContain("envoy plan write-finding");
    expect((await run("plann", "--help")).json.error.type).toBe("unknown_command");
  });

  test("looks at nothing, so it works with a broken environment", async () => {
    expect((await envoy(["--help"], { cwd: folder, env: { MAX_LOGS_TOKENS: "x" } })).code).toBe(0);
  });
});

test("--version prints the package's version", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect((await run("--version")).stdout).toBe(`${version}\n`);
});

describe("wrong usage", () => {
  test.each([
    [[], "unknown_command", "envoy --help"],
    [["plan"], "unknown_command", "envoy plan --help"],
    [["plan", "get-findngs"], "unknown_command", "envoy plan get-findings"],
    [["toString"], "unknown_command", "envoy --help"],
    [["plan", "get-findings", "--fulll"], "unknown_flag", "--full"],
    [["plan", "get-findings", "--colour=never"], "unknown_flag", "--help"],
    [["plan", "get-findings", "--full=banana"], "invalid_argument", "--help"],
    [["plan", "get-findings", "extra"], "unexpected_argument", "Quote"],
    [["plan", "write-plan", "--title"], "missing_argument", "--help"],
    [["plan", "write-plan", "--title", "--objective", "x"], "missing_argument", "--help"],
    [["plan", "write-plan", "--title", "a", "--title", "b"], "conflicting_flags", "--help"],
    [["plan", "get-prompt"], "missing_argument", "--help"],
    [["-C", "nowhere", "plan", "list"], "directory_not_found", "existing directory"],
  ])("%j is %s and names a way out", async (args, type, suggestion) => {
    const { code, json } = await run(...args);
    expect(code).toBe(2);
    expect(json.error.type).toBe(type);
    expect(json.error.suggestion).toContain(suggestion);
  });

  test.each([
    ["BLOCKING_GATE_TIMEOUT_MS", "soon"],
    ["BLOCKING_GATE_TIMEOUT_MS", "-5"],
    ["MAX_LOGS_TOKENS", "1e4"],
    ["ENVOY_WAIT", "9"],
    ["ENVOY_HEARTBEAT", "4 minutes"],
    ["ENVOY_DIR", "../outside"],
    ["ENVOY_DIR", "./"],
    ["ENVOY_DIR", "/"],
    ["ENVOY_DIR", " "],
  ])("the environment variable %s=%s is refused by name", async (variable, value) => {
    const { code, json } = await envoy(["plan", "list"], { cwd: folder, env: { [variable]: value } });
    expect(code).toBe(2);
    expect(json.error).toMatchObject({ type: "invalid_environment", message: expect.stringContaining(variable) });
  });
});

test("-C runs as if started there, before or after the command", async () => {
  const project = await newProject();
  expect((await run("-C", project.root, "plan", "list")).json.data.plans).toHaveLength(1);
  expect((await run("plan", "list", "-C", project.root, "--json")).json.data.plans).toHaveLength(1);
});

test("a working directory that is gone is an error, not a crash", async () => {
  const gone = join(folder, "gone");
  mkdirSync(gone);
  const child = spawn("sh", ["-c", `cd "$1" && rmdir "$1" && exec "$2" "$3" plan list`, "sh", gone, process.execPath, BINARY], {
    cwd: folder,
    env: cleanEnvironment(),
  });
  let stdout = "";
  child.stdout.on("data", (chunk) => (stdout += chunk));
  const code = await new Promise((done) => child.on("close", done));
  rmSync(gone, { force: true, recursive: true });
  expect(code).toBe(2);
  expect(JSON.parse(stdout).error.type).toBe("directory_not_found");
});

describe("stdout and stdin", () => {
  test("one compact line of JSON where nobody looks on", async () => {
    const { stdout } = await run("plan", "list");
    expect(stdout).toBe('{"status":"success","data":{}}\n');
  });

  test("closed by the reader: no crash, no hang, and the exit code says undelivered", async () => {
    const project = await newProject();
    const big = JSON.stringify([{ number: 1, approach_detail: "x".repeat(2_000_000) }]);
    await envoy(["plan", "write-finding", "ui", "--input", "-"], { cwd: project.root, input: `{"approaches":${big}}` });
    const child = spawn(process.execPath, [BINARY, "plan", "get-findings", "--full"], { cwd: project.root, env: cleanEnvironment() });
    child.stdout.once("data", () => child.stdout.destroy());
    let stderr = "";
    child.stderr.on("data", (chunk) => (stderr += chunk));
    const code = await new Promise((done) => child.on("close", done));
    expect(code).toBe(5);
    expect(stderr).toContain("stdout was closed");
    expect(stderr).not.toContain("    at ");
  });

  test("no stdin at all is answered, not waited for", async () => {
    const project = await newProject();
    const { code, json } = await envoy(["plan", "append-user-input", "--input", "-"], {
      cwd: project.root,
      stdio: ["ignore", "pipe", "pipe"],
    });
    expect(code).toBe(2);
    expect(json.error.type).toBe("input_unreadable");
  });

  test("a folder as stdin, or a stream without end, is an error", async () => {
    const project = await newProject();
    const shell = (redirect: string) =>
      new Promise<string>((done) => {
        const child = spawn("sh", ["-c", `exec "$0" "$1" plan append-user-input --input - ${redirect}`, process.execPath, BINARY], {
          cwd: project.root,
          env: cleanEnvironment(),
        });
        let stdout = "";
        child.stdout.on("data", (chunk) => (stdout += chunk));
        child.on("close", () => done(stdout));
      });
    expect(JSON.parse(await shell("< /")).error.type).toBe("input_unreadable");
    expect(JSON.parse(await shell("< /dev/zero")).error.message).toContain("larger than");
    expect(JSON.parse(await shell("<&-")).error.type).toBe("input_unreadable");
    expect(await project.error("input_unreadable", "plan", "write-plan", "--input", "/dev/zero")).toMatchObject({ code: 2 });
    expect(await project.error("input_unreadable", "plan", "write-plan", "--input", "/")).toMatchObject({ code: 2 });
  });

  test("a closed stdout or stderr is no crash", async () => {
    const project = await newProject();
    for (const redirect of [">&-", "2>&-", ">&- 2>&- <&-"]) {
      const child = spawn("sh", ["-c", `exec "$0" "$1" plan write-finding ui --notes n ${redirect}`, process.execPath, BINARY], {
        cwd: project.root,
        env: cleanEnvironment(),
      });
      expect(await new Promise((done) => child.on("close", done))).toBe(0);
    }
  });

  test("control characters reach people visibly, in errors, remarks on stderr and the audit trail alike", async () => {
    const project = await newProject();
    const nasty = "x\u001b]0;t\u0007\u009b31m\u202e\u{e0041}";
    const shown = "x\\u{1b}]0;t\\u{7}\\u{9b}31m\\u{202e}\\u{e0041}";
    expect((await project.error("unexpected_argument", "plan", "get-plan", nasty)).message).toContain("x\\u001b");
    for (const args of [
      ["plan", "get-prompt", nasty],
      ["plan", `--${nasty}`],
      ["plan", "get-plan", `--${nasty}`],
    ]) {
      const { json } = await project.envoy(...args);
      // oxlint-disable-next-line no-control-regex -- that is the point
      expect(`${json.error.message}${json.error.suggestion}`).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e\u{e0041}]/u);
    }
    project.write("findings/ui.yaml", `specialist_name: ui\nnotes: ["${nasty.slice(3)}"]\n? {"\u202e": 1}\n: x\n`);
    const { message, issues } = await project.error("invalid_file", "plan", "get-findings");
    // oxlint-disable-next-line no-control-regex -- that is the point
    expect(message + JSON.stringify(issues)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    await project.data("plan", "append-user-input", `${nasty} 👩‍💻`);
    expect(project.read("user_input.md")).toContain(`\n${shown} 👩‍💻\n`);
  });

  test("text that could draw on a terminal is escaped, and means the same", async () => {
    const project = await newProject();
    const nasty = "a\u001b[2Jb\u009b31mc\u202ed\u0007\u{e0041}";
    await project.data("plan", "write-finding", "ui", "--notes", nasty);
    const { stdout, json } = await project.envoy("plan", "get-findings");
    expect(json.data.findings[0].notes).toBe(nasty);
    // oxlint-disable-next-line no-control-regex -- that is the point
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });
});

describe("on a terminal", () => {
  /** `script` gives the command a real pseudo-terminal. */
  const onTerminal = (cwd: string, args: string, env = {}) =>
    new Promise<string>((done) => {
      const child = spawn("script", ["-qec", `'${process.execPath}' '${BINARY}' ${args}`, "/dev/null"], {
        cwd,
        env: cleanEnvironment(env),
      });
      let output = "";
      child.stdout.on("data", (chunk) => (output += chunk));
      child.on("close", () => done(output.replaceAll("\r\n", "\n")));
      child.stdin.end();
    });

  test("JSON is indented, lists are tables, --json forces JSON, NO_COLOR is heard", async () => {
    const project = await newProject();
    await project.data("plan", "write-prompt", "1", "--description", "First \u001b[31mred");
    expect(await onTerminal(project.root, "plan get-prompt 1")).toContain('{\n  "status": "success",');
    const table = await onTerminal(project.root, "plan list-prompts", { NO_COLOR: "1" });
    expect(table).toMatch(/^PROMPT {2}STATUS {9}BRANCH {2}DESCRIPTION\n1 {7}unimplemented {10}First \\u\{1b\}\[31mred\n/);
    expect(await onTerminal(project.root, "plan list")).toContain("\u001b[1mPLAN");
    expect(JSON.parse(await onTerminal(project.root, "plan list --json")).data.plans).toHaveLength(1);
  });
});

describe("stripping", () => {
  test("drops what is empty at every depth, and keeps false, 0 and what users gave as data", () => {
    expect(
      stripEmpty({
        a: "",
        b: null,
        c: [],
        d: {},
        e: { f: [{ g: "" }] },
        h: false,
        i: 0,
        j: [0, "", false],
        answer: "",
        details: { x: null },
      }),
    ).toEqual({ h: false, i: 0, j: [0, false], answer: "", details: { x: null } });
  });

  test("hands on any answer and any details untouched, at any depth", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom("answer", "details"), (value, key) => {
        expect(stripEmpty({ a: [{ b: { [key]: value, empty: "" } }] })).toEqual({ a: [{ b: { [key]: value } }] });
      }),
    );
  });

  test("leaves nothing empty, and changes nothing when done again", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const once = stripEmpty(value);
        expect(stripEmpty(once)).toEqual(once);
        if (!/"(answer|details)"/.test(JSON.stringify(value)))
          expect(JSON.stringify(once) ?? "").not.toMatch(/(?<!\\)":(""|null|\[\]|\{\})/);
      }),
    );
  });
});

test("a bug is one JSON document too, with the version in it and the trace on stderr", async () => {
  const project = await newProject();
  const { code, json, stderr } = await envoy(["plan", "write-finding", "ui", "--notes", "x"], {
    cwd: project.root,
    env: { ENVOY_FAILPOINT: "lock.work=error:EBUG" },
  });
  expect(code).toBe(1);
  expect(json.error).toMatchObject({ type: "internal", message: expect.stringMatching(/A bug in envoy \d+\.\d+/) });
  expect(stderr).toContain("    at ");
});
