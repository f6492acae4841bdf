import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import { DIMENSIONS } from "../../schemas/quality.ts";
import { knownCommands, textWithGates } from "../../src/quality/gates-init.ts";
import { readGates, requireGates } from "../../src/quality/gates.ts";
import { readConfig } from "../../src/stores/config.ts";
import { temporaryFolder } from "../support/project.ts";

async function configOf(text: string | undefined) {
  const directory = join(temporaryFolder(), ".envoy");
  mkdirSync(directory);
  if (text !== undefined) writeFileSync(join(directory, "config.yaml"), text);
  return readConfig(directory);
}
const gatesOf = async (text: string | undefined) => readGates(await configOf(text));
const places = async (text: string | undefined) =>
  (await gatesOf(text)).issues.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`);

const COMMANDS = `    - { name: tests, command: npm test }
    - { name: typecheck, command: npm run types }
    - { name: code_review, reviewer: claude -p }
`;

describe("formulas", () => {
  it("code-review runs the tests and the type check alone, then a review of all seven dimensions with synthesis", async () => {
    expect(await gatesOf(`gates:\n  list:\n${COMMANDS}`)).toEqual({
      formula: "code-review",
      warnings: [],
      issues: [],
      gates: [
        { name: "tests", type: "command", command: "npm test", serial: true, failFast: false, timeoutMs: 600_000 },
        { name: "typecheck", type: "command", command: "npm run types", serial: true, failFast: false, timeoutMs: 600_000 },
        {
          name: "code_review",
          type: "parallel_review",
          reviewer: "claude -p",
          synthesis: "claude -p",
          dimensions: [...DIMENSIONS],
          serial: false,
          failFast: false,
          maxParallel: 4,
          timeoutMs: 600_000,
        },
      ],
    });
  });

  it.each([
    ["security-audit", ["tests", "code_review", "human_approval"], ["security", "resilience", "correctness"]],
    ["quick-review", ["tests", "code_review"], ["correctness", "security"]],
  ])("%s has its own gates", async (formula, names, dimensions) => {
    const { gates } = await gatesOf(`gates: { formula: ${formula} }\n`);
    expect(gates.map(({ name }) => name)).toEqual(names);
    expect(gates[1]).toMatchObject({ type: "parallel_review", dimensions });
    expect(gates[0]).toMatchObject({ serial: true });
  });

  it("none runs nothing, and says so", async () => {
    const { gates, issues, warnings } = await gatesOf("gates: { formula: none }\n");
    expect({ gates, issues }).toEqual({ gates: [], issues: [] });
    expect(warnings).toEqual([expect.stringContaining("everything passes unchecked")]);
  });
});

describe("the team's own list", () => {
  it("changes gates by name, in their place, and adds the rest at the end", async () => {
    const { gates, issues } = await gatesOf(`gates:
  formula: quick-review
  list:
    - { name: lint, type: command, command: "npm run lint", timeout: 30s }
    - { name: tests, command: "make test", serial: false, fail_fast: true }
    - { name: code_review, type: multi_pass, reviewer: "codex exec", passes: 3 }
`);
    expect(issues).toEqual([]);
    expect(gates).toEqual([
      { name: "tests", type: "command", command: "make test", serial: false, failFast: true, timeoutMs: 600_000 },
      expect.objectContaining({ name: "code_review", type: "multi_pass", reviewer: "codex exec", passes: 3 }),
      { name: "lint", type: "command", command: "npm run lint", serial: false, failFast: false, timeoutMs: 30_000 },
    ]);
    expect(gates[1]).not.toHaveProperty("synthesis");
  });

  it("turns the synthesis off where it says so", async () => {
    const { gates } = await gatesOf(
      "gates:\n  formula: quick-review\n  list:\n    - { name: code_review, reviewer: r, synthesis: false }\n",
    );
    expect(gates[1]).not.toHaveProperty("synthesis");
  });

  it("keeps a person's approval without a deadline, unless one is given", async () => {
    const { gates } = await gatesOf(`gates:
  formula: none
  list:
    - { name: a, type: human, prompt: Look, when: "task.priority == 1" }
    - { name: b, type: human, prompt: Look, timeout: 2h }
`);
    expect(gates[0]).not.toHaveProperty("timeoutMs");
    expect(gates[0]).toHaveProperty("when.operator", "==");
    expect(gates[1]).toHaveProperty("timeoutMs", 7_200_000);
  });
});

describe("mistakes", () => {
  it("are all named at once, each where it stands", async () => {
    expect(
      await places(`gates:
  formula: quick-review
  list:
    - { name: tests, reviewer: x, command: null }
    - { name: build }
    - { name: code_review, reviewer: r, passes: 2 }
    - name: approve
      type: human
      prompt: Look
      when: "task.prority == 1"
    - { name: build, type: command, command: x }
`),
    ).toEqual([
      "4:32 gates.list.0.reviewer: `reviewer` means nothing for a gate of type `command`, which takes command, timeout",
      '4:44 gates.list.0.command: the gate `tests` has no `command`; for example `- { name: tests, command: "npm test" }`',
      "5:7 gates.list.1: the gate `build` needs a `type`: command, parallel_review, multi_pass, human",
      expect.stringMatching(/^6:49 gates.list.2.passes: `passes` means nothing/),
      "10:14 gates.list.3.when: column 1 of the expression: `task.prority` is not known; did you mean `task.priority`?",
      "11:15 gates.list.4.name: the gate `build` stands in the list a second time",
    ]);
  });

  it("counts a wrong column of `when` in the file", async () => {
    const [place] = await places(
      `gates:\n  formula: none\n  list:\n    - { name: a, type: human, prompt: P, when: "task.priority = 1" }\n`,
    );
    expect(place).toMatch(/^4:63 gates.list.0.when: column 15 of the expression: a single `=`/);
  });

  it.each([undefined, "retry: {}\n"])("say what to configure where nothing is (%j)", async (text) => {
    const config = await configOf(text);
    expect(() => requireGates(config)).toThrow(
      expect.objectContaining({ type: "invalid_gates", exitCode: 4, message: expect.stringContaining(config.file) }),
    );
    expect((await gatesOf(text)).issues.map(({ message }) => message)).toEqual([
      'the gate `tests` of the formula `code-review` has no `command`; add to `gates.list`: `- { name: tests, command: "npm test" }`',
      expect.stringContaining("`typecheck`"),
      expect.stringContaining('`- { name: code_review, reviewer: "claude -p" }`'),
    ]);
  });
});

describe("writing the gates out", () => {
  const known = { tests: "npm test", typecheck: "npm run types", reviewer: "claude -p" };

  it.each(["code-review", "security-audit", "quick-review", "none"] as const)(
    "gives %s in full, and it means the same",
    async (formula) => {
      const written = await configOf(textWithGates(await configOf(undefined), formula, known));
      const { gates, issues } = readGates(written);
      expect(issues).toEqual([]);
      const short = await gatesOf(
        `gates:\n  formula: ${formula}\n  list: [${formula === "none" ? "" : "{ name: tests, command: npm test }"}]\n`,
      );
      expect(gates.map(({ name, type, serial }) => ({ name, type, serial }))).toEqual(
        short.gates.map(({ name, type, serial }) => ({ name, type, serial })),
      );
    },
  );

  it("leaves what is unknown to the team, and points at it", async () => {
    const written = await configOf(textWithGates(await configOf(undefined), "quick-review"));
    expect(readGates(written).issues.map(({ path }) => path)).toEqual(["gates.list.0.command", "gates.list.1.reviewer"]);
  });

  it("does not disturb what stands there", async () => {
    const before = `# ours\nhuman_input:   # spaced
  timeout:   5m\n
gates:
  list:
    - name: tests   # the quick ones
      command: make quick
# the end
`;
    const after = textWithGates(await configOf(before), "quick-review", known);
    expect(after).toContain("# ours\nhuman_input:   # spaced\n  timeout:   5m\n");
    expect(after).toContain("    - name: tests   # the quick ones\n      command: make quick\n");
    expect(after).toContain("# the end");
    const { gates, issues } = await gatesOf(after);
    expect(issues).toEqual([]);
    expect(gates).toMatchObject([
      { name: "tests", command: "make quick" },
      { name: "code_review", reviewer: "claude -p" },
    ]);
    expect(textWithGates(await configOf(after), "quick-review", known)).toBe(after);
  });

  it("keeps the words of a configuration that is only comments", async () => {
    expect(textWithGates(await configOf("# nothing yet\n"), "none")).toContain("# nothing yet\n");
  });

  it.each([
    [
      "package.json",
      JSON.stringify({ scripts: { test: "vitest", typecheck: "tsc" } }),
      { tests: "npm test", typecheck: "npm run typecheck" },
    ],
    ["package.json", "{ not json", {}],
    ["Cargo.toml", "", { tests: "cargo test", typecheck: "cargo check" }],
    ["go.mod", "", { tests: "go test ./...", typecheck: "go vet ./..." }],
    ["README.md", "", {}],
  ])("takes the commands that %s gives", (file, text, expected) => {
    const root = temporaryFolder();
    writeFileSync(join(root, file), text);
    expect(knownCommands(root)).toEqual(expected);
  });
});
