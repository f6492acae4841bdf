import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import { EnvoyError } from "../../schemas/errors.ts";
import { readConfig } from "../../src/stores/config.ts";
import { temporaryFolder } from "../support/project.ts";

function configured(text: string | undefined): string {
  const directory = join(temporaryFolder(), ".envoy");
  mkdirSync(directory);
  if (text !== undefined) writeFileSync(join(directory, "config.yaml"), text);
  return directory;
}
const read = async (text: string | undefined) => (await readConfig(configured(text))).config;
const issues = async (text: string) => {
  const error = await readConfig(configured(text)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(EnvoyError);
  expect((error as EnvoyError).type).toBe("invalid_file");
  return (error as EnvoyError).issues.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`);
};

const DEFAULTS = {
  human_input: {
    enabled: true,
    timeoutMs: 900_000,
    on_timeout: "block",
    max_open_questions_per_task: 1,
    context_answer_history_limit: 3,
    agents_may_answer: false,
    templates: {},
  },
  gates: undefined,
  retry: { strategy: "auto", fresh_after_failures: 2, max_iterations: 3, on_stuck: "human" },
  notify: {},
};

describe("the team's configuration", () => {
  it.each([
    ["no file", undefined],
    ["an empty file", ""],
    ["a file of comments", "# human_input:\n#   enabled: false\n"],
    ["sections that were commented out", "human_input:\n  # enabled: false\nretry:\n"],
  ])("means the defaults where there is %s", async (_, text) => {
    expect(await read(text)).toEqual(DEFAULTS);
  });

  it("says what the documentation shows", async () => {
    const config = await read(`human_input:
  enabled: false
  timeout: 2h
  on_timeout: defer
  max_open_questions_per_task: 4
  context_answer_history_limit: 0
  agents_may_answer: true
  templates: { go: "Go ahead as proposed." }
gates:
  formula: quick-review
  list:
    - { name: tests, type: command, command: "npm test", serial: true, fail_fast: true, timeout: 5m }
retry: { strategy: same, fresh_after_failures: 5, max_iterations: 7, on_stuck: fail }
notify: { command: "notify-send {title}", webhook: "https://example.invalid/hook" }
`);
    expect(config).toMatchObject({
      human_input: { enabled: false, timeoutMs: 7_200_000, on_timeout: "defer", templates: { go: "Go ahead as proposed." } },
      gates: { formula: "quick-review", list: [{ name: "tests", command: "npm test", timeout: "5m" }] },
      retry: { strategy: "same", fresh_after_failures: 5, max_iterations: 7, on_stuck: "fail" },
      notify: { command: "notify-send {title}", webhook: "https://example.invalid/hook" },
    });
  });

  it.each([
    ["timeout_ms: 5000", { timeoutMs: 5000 }],
    ["timeout: never", { timeoutMs: undefined }],
    ["on_timeout: block_feature", { on_timeout: "block" }],
    ["on_timeout: fail_feature", { on_timeout: "fail" }],
  ])("understands `%s`", async (line, expected) => {
    expect((await read(`human_input:\n  ${line}\n`)).human_input).toEqual({ ...DEFAULTS.human_input, ...expected });
  });

  it("names every mistake at once, where it stands", async () => {
    const found = await issues(`human_input:
  enabeld: true
  timeout: soon
  on_timeout: explode
gates:
  formula: code_review
  list:
    - name: Tests
      type: shell
      comand: npm test
    - type: command
retry: { max_iterations: 0, on_stuck: human }
notify: { webhook: "ftp://x" }
colour: blue
`);
    expect(found).toEqual([
      "2:3 human_input.enabeld: the key `enabeld` is not known here; did you mean `enabled`?",
      "3:12 human_input.timeout: must be `never` or a duration such as `30s`, `9m`, `12h` or `4d`",
      expect.stringMatching(/^4:15 human_input.on_timeout: expected one of "block"/),
      expect.stringMatching(/^6:12 gates.formula: expected one of "code-review"/),
      expect.stringMatching(/^8:13 gates.list.0.name: must be lower-case/),
      expect.stringMatching(/^9:13 gates.list.0.type: expected one of "command"/),
      "10:7 gates.list.0.comand: the key `comand` is not known here; did you mean `command`?",
      expect.stringMatching(/^11:7 gates.list.1.name: expected string/),
      expect.stringMatching(/^12:26 retry.max_iterations: /),
      "13:20 notify.webhook: must be an http or https address",
      "14:1 colour: the key `colour` is not known here; known here are human_input, gates, retry, notify",
    ]);
  });

  it("refuses two timeouts that may disagree", async () => {
    expect(await issues("human_input:\n  timeout: 5m\n  timeout_ms: 1\n")).toEqual([
      "3:15 human_input.timeout_ms: stands beside `timeout`; keep one of them",
    ]);
  });

  it.each(["a: [", "- x\n", "gates: &a {}\n", "__proto__: {}\n"])("never guesses at %j", async (text) => {
    expect((await issues(text)).length).toBeGreaterThan(0);
  });

  it("does not follow a link out of its folder", async () => {
    const directory = configured(undefined);
    symlinkSync("/etc/hostname", join(directory, "config.yaml"));
    await expect(readConfig(directory)).rejects.toMatchObject({ type: "unsafe_path" });
  });

  it("knows where a character of a text stands", async () => {
    const { at } = await readConfig(
      configured(`gates:\n  list:\n    - { name: a, when: "task.id" }\n    - name: b\n      when: task.size\n`),
    );
    expect(at(["gates", "list", 0, "when"], 5)).toMatchObject({ line: 3, column: 30 });
    expect(at(["gates", "list", 1, "when"], 5)).toMatchObject({ line: 5, column: 18 });
  });
});
