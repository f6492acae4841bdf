import { spawn } from "node:child_process";
import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BINARY, cleanEnvironment } from "../support/envoy.ts";
import { newAsker } from "./asking.ts";

/** A real pseudo-terminal. `types` maps what the program says to what the person then types. */
function onTerminal(cwd: string, args: string, { env = {}, types = [] as [RegExp, string][] } = {}): Promise<string> {
  return new Promise((done) => {
    const child = spawn("script", ["-qec", `'${process.execPath}' '${BINARY}' ${args}`, "/dev/null"], { cwd, env: cleanEnvironment(env) });
    const left = [...types];
    let [output, heard] = ["", 0];
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
      const [next] = left;
      const found = next && next[0].exec(output.slice(heard));
      if (!found) return;
      heard += found.index + found[0].length;
      left.shift();
      child.stdin.write(next[1]);
    });
    child.on("close", () => done(output.replaceAll("\r\n", "\n")));
    if (!types.length) child.stdin.end();
  });
}

const BOLD = "\u001b[1m";

describe("what a person sees", () => {
  test("tasks, questions, status, inbox and a question are aligned tables, in colour where allowed, that agents cannot draw on", async () => {
    const asker = newAsker();
    await asker.data("task", "set", "site", "--title", "The site", "--priority", "P1", "--size", "M");
    await asker.data("task", "set", "login", "--title", "Login", "--parent", "site");
    await asker.data("task", "set", "logout", "--parent", "site");
    const id = await asker.ask("Which \u001b[31mkey?\u202e", "--task", "login", "--agent", "a1", "--context", "One\nTwo");
    await asker.data("halt", "--session", "s", "--reason", "stop \u001b]0;x\u0007");
    const plain = { env: { NO_COLOR: "1" } };
    const tree = (await onTerminal(asker.root, "task tree", plain)).split("\n");
    expect(tree[0]).toMatch(/^ {4}TASK {7}STATUS {10}PRIO {2}SIZE {2}TITLE {5}QUESTION/);
    expect(tree[1]).toMatch(/^ {4}site {7}open {12}P1 {4}M {5}The site$/);
    expect(tree[2]).toMatch(
      /^❓ {2}├─ login {3}awaiting_input {14}Login {5}Which \\u\{1b\}\[31mkey\?\\u\{202e\} {2}One Two {2}a1 {8}\d.* ago$/,
    );
    expect(tree[3]).toMatch(/^ {4}└─ logout {2}open$/);
    for (const list of ["task list", "questions", "status", "inbox", `show ${id}`]) {
      const [coloured, bare] = [await onTerminal(asker.root, list), await onTerminal(asker.root, list, plain)];
      expect(coloured).toContain(BOLD);
      expect(bare).toContain("Which \\u{1b}[31mkey?");
      // oxlint-disable-next-line no-control-regex -- exactly these must not be there
      expect(bare).not.toMatch(/[\u001b\u0007\u202e]/);
    }
    expect(await onTerminal(asker.root, "status", plain)).toContain("envoy resume --session s");
    expect(JSON.parse(await onTerminal(asker.root, "status --json")).data.halts).toHaveLength(1);
    expect((await asker.run(["task", "tree"])).json.data.tasks).toMatchObject([{ task_id: "site", children: [{ task_id: "login" }, {}] }]);
  });
});

describe("answering at the terminal", () => {
  test("shows the question and takes what is typed, also a choice by its number", async () => {
    const asker = newAsker();
    const id = await asker.ask(
      "Which colour?",
      "--choice",
      "Red",
      "--choice",
      "Blue",
      "--recommend",
      "Blue",
      "--context",
      "For the button",
    );
    const seen = await onTerminal(asker.root, `answer ${id}`, { types: [[/its number> /, "2\n"]] });
    for (const words of ["Which colour?", "For the button", "1) Red", "2) Blue  (recommended)"]) expect(seen).toContain(words);
    expect((await asker.data("wait", id)).answer).toBe("Blue");
  });

  test("an empty line is no answer; without a terminal an answer must be given", async () => {
    const asker = newAsker();
    const id = await asker.ask("Which?");
    expect(await onTerminal(asker.root, `answer ${id}`, { types: [[/answer> /, "\n"]] })).toContain("question_invalid_answer");
    await asker.error("missing_argument", "answer", id);
    await asker.error("missing_argument", "answer", "--all");
    expect((await asker.data("questions")).questions).toHaveLength(1);
  });

  test("--all walks through everything, asks again after a mistake, and leaves what is skipped", async () => {
    const asker = newAsker();
    const [one, two, three] = [await asker.ask("One?", "--kind", "number"), await asker.ask("Two?"), await asker.ask("Three?")];
    const types: [RegExp, string][] = [
      [/number> /, "many\n"],
      [/number> /, "7\n"],
      [/answer> /, "\n"],
      [/answer> /, "three\n"],
    ];
    expect(await onTerminal(asker.root, "answer --all", { types })).toContain("is not a number");
    expect((await asker.data("wait", one)).answer).toBe(7);
    expect((await asker.data("wait", three)).answer).toBe("three");
    expect((await asker.data("questions")).questions).toMatchObject([{ question_id: two }]);
  });

  test("--edit opens the editor with question and context as comments; unchanged, empty or failing is no answer", async () => {
    const asker = newAsker();
    const id = await asker.ask("Which?", "--context", "Look\u001b[2J here");
    const editor = join(asker.root, "editor.sh");
    const edit = (script: string) => {
      writeFileSync(editor, `#!/bin/sh\n${script}\n`);
      chmodSync(editor, 0o755);
      return asker.run(["answer", id, "--edit"], { env: { EDITOR: editor } });
    };
    expect((await edit("true")).json.error.type).toBe("question_invalid_answer");
    expect((await edit(': > "$1"')).json.error.type).toBe("question_invalid_answer");
    const failed = await edit("exit 3");
    expect([failed.json.error.type, failed.code]).toEqual(["editor_failed", 5]);
    expect(asker.facts(id)).toHaveLength(1);
    const { json } = await edit(`cp "$1" '${asker.root}/seen'; printf '# heading\\nthis' | cat - "$1" > "$1.new" && mv "$1.new" "$1"`);
    expect(json.data).toMatchObject({ question_status: "answered" });
    expect((await asker.data("wait", id)).answer).toBe("# heading\nthis");
    expect(readdirSync(asker.root)).toContain("seen");
    const { readFileSync } = await import("node:fs");
    const seen = readFileSync(join(asker.root, "seen"), "utf8");
    expect(seen).toMatch(/^# {3}Which\?$/m);
    expect(seen).toMatch(/^# {3}Look\\u\{1b\}\[2J here$/m);
  });
});
