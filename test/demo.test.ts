import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { cleanEnvironment } from "./support/envoy.ts";
import { folderOutsideGit, temporaryFolder } from "./support/project.ts";
import { hasProgram } from "./support/terminal.ts";

const demoScript = resolve(import.meta.dirname, "../scripts/demo.mjs");
const reader = `'${process.execPath}' '${join(import.meta.dirname, "support/reader.mjs")}'`;
const FORMS = ["findings_gate", "plan_gate", "1_logging", "2A_testing", "2_variants", "sum_approval"].map((key) => `${key}.yaml`);
const END = "The demo is over; its repository was temporary and is gone.";

test("the demo ends by itself, shows all five gates with forms, hand-back and JSON, and leaves nothing behind", () => {
  const temporary = folderOutsideGit();
  const shown = execFileSync(process.execPath, [demoScript], {
    encoding: "utf8",
    env: { ...process.env, TMPDIR: temporary },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const name of ["findings", "plan", "debugging-logging", "prompt-testing", "prompt-variants"])
    expect(shown).toContain(`$ envoy plan block-${name}-gate`);
  expect(shown).toContain("# ✗ Your text was read like this.");
  expect(shown).toContain('"status": "pending"');
  expect(shown).toContain("archive/feature/login--2B");
  expect(readdirSync(temporary)).toEqual([".envoy"]);
});

/** The demo with the reader as the person. `onShown` gets what was shown since it last returned true. */
function takePart(onShown: (shown: string, demo: Demo) => boolean, { editor = "", terminal = true } = {}) {
  const temporary = folderOutsideGit();
  const log = join(temporaryFolder(), "opened");
  writeFileSync(log, "");
  const env = cleanEnvironment({ TMPDIR: temporary, EDITOR: editor, READER_LOG: log, TERM: "xterm", LANG: "C.UTF-8" });
  const command = [process.execPath, demoScript, "--me"];
  const [program, ...args] = terminal ? ["script", "-qec", command.map((word) => `'${word}'`).join(" "), "/dev/null"] : command;
  const child = spawn(program!, args, { env, stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  const demo = { shown: "", types: (keys: string) => child.stdin.write(keys), kill: () => child.kill("SIGTERM") };
  let heard = 0;
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    demo.shown += chunk.replaceAll("\r", "");
    if (onShown(demo.shown.slice(heard), demo)) heard = demo.shown.length;
  });
  return new Promise<{ shown: string; opened: string[]; left: string[]; ending: number | NodeJS.Signals | null }>((done) =>
    child.on("close", (code, signal) =>
      done({
        shown: demo.shown,
        opened: readFileSync(log, "utf8").split("\n").slice(0, -1),
        left: readdirSync(temporary).filter((name) => name !== ".envoy"),
        ending: signal ?? code,
      }),
    ),
  );
}
interface Demo {
  shown: string;
  types: (keys: string) => void;
  kill: () => void;
}

const TURN = /Your turn\. Edit (.*\.yaml)\nSet done: true at its end and save; the demo goes on by itself\.\n/;
const times = (text: string, words: string) => text.split(words).length - 1;

test("without a terminal each form is named again after each hand-back at every gate, until it is accepted", async () => {
  const turns: string[] = [];
  const { shown, left, ending } = await takePart(
    (news) => {
      const [, form] = TURN.exec(news) ?? [];
      if (!form) return false;
      turns.push(form.split("/").at(-1)!);
      execFileSync("sh", ["-c", `${reader} mistake finish '${form}'`], { env: { ...process.env, READER_LOG: `${form}.opened` } });
      return true;
    },
    { terminal: false },
  );
  expect(turns).toEqual(FORMS.flatMap((form) => [form, form]));
  expect(times(shown, "The form came back to you.")).toBe(FORMS.length);
  expect(shown).not.toContain("Press Enter");
  expect(shown).toContain(END);
  expect([ending, left]).toEqual([0, []]);
});

test("breaking the demo off while the reader is the person leaves nothing behind", async () => {
  const { left, ending } = await takePart(
    (news, demo) => {
      const [, form] = TURN.exec(news) ?? [];
      if (!form) return false;
      if (form.endsWith("plan_gate.yaml")) demo.kill();
      else writeFileSync(form, readFileSync(form, "utf8").replace("done: false", "done: true"));
      return true;
    },
    { terminal: false },
  );
  expect([ending, left]).toEqual(["SIGTERM", []]);
});

const onTerminal = hasProgram("script");
if (!onTerminal) process.stderr.write("The demo's reader at a terminal not tested: script not installed.\n");

const pressesEnter = (news: string, { types }: Demo) => {
  const asked = news.includes("Press Enter to open it again.\n");
  if (asked) types("\n");
  return asked;
};

describe.skipIf(!onTerminal)("a reader's own editor on a terminal", () => {
  test("opens again on Enter after a mistake and on an unfinished form, at every gate, as long as the form is there", async () => {
    const { shown, opened, left, ending } = await takePart(pressesEnter, { editor: `${reader} mistake unfinished finish` });
    expect(opened).toEqual(FORMS.flatMap((form) => [form, form, form]));
    expect(times(shown, "The form came back to you. Your turn.")).toBe(FORMS.length);
    expect(times(shown, "The form is not finished yet. Your turn.")).toBe(FORMS.length);
    expect(shown).toContain(END);
    expect([ending, left]).toEqual([0, []]);
  });

  test("has the screen alone: hand-backs are told when it has closed, and an accepted form is not opened again", async () => {
    const { shown, opened, left, ending } = await takePart(pressesEnter, { editor: `${reader} mistake+mistake+finish` });
    expect(opened).toEqual(FORMS);
    const sessions = shown.split(TURN).filter((_, i) => i > 0 && i % 2 === 0);
    expect(sessions).toHaveLength(FORMS.length);
    for (const session of sessions) expect(session).toMatch(/^The editor closes\n(envoy: the form was handed back[^]*){2}/);
    expect(shown).not.toContain("Press Enter");
    expect([ending, left]).toEqual([0, []]);
  });

  test("is named when it cannot run, waits for Enter, and the form may be saved elsewhere", async () => {
    const { shown, left } = await takePart(
      (news, demo) => {
        if (!news.includes("Press Enter to open it again.\n")) return false;
        const form = TURN.exec(news)![1]!;
        if (form.endsWith("plan_gate.yaml")) demo.types("\u0003");
        else writeFileSync(form, readFileSync(form, "utf8").replace("done: false", "done: true"));
        return true;
      },
      { editor: "/no/such/editor" },
    );
    expect(times(shown, "/no/such/editor ended with exit code 127.")).toBe(2);
    expect(times(shown, "The form is not finished yet. Your turn.")).toBe(2);
    expect(left).toEqual([]);
  });

  test("ends with the demo", async () => {
    const alive = join(temporaryFolder(), "alive");
    execFileSync("mkfifo", [alive]);
    const gone = once(createReadStream(alive).resume(), "end");
    const program = `process.on("SIGHUP", () => {}); console.log("demo %d", process.ppid); setInterval(() => {}, 1e6)`;
    const { left } = await takePart(
      (news) => {
        const [, demo] = /demo (\d+)\n/.exec(news) ?? [];
        if (demo) process.kill(Number(demo), "SIGTERM");
        return demo !== undefined;
      },
      { editor: `'${process.execPath}' -e '${program}' 3> '${alive}'` },
    );
    await gone;
    expect(left).toEqual([]);
  });
});
