import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { envoy } from "../support/envoy.ts";
import { newProject } from "../support/project.ts";

const APPROACHES = JSON.stringify([
  {
    number: 1,
    description: "JWT",
    relevant_files: ["a.ts"],
    required_clarifying_questions: [{ question: "How long?" }],
    approach_detail: "Long\ntext\n",
  },
  { number: 2, variant: "A", description: "Redis" },
  { number: 2, variant: "B", description: "Postgres" },
]);

describe("write-finding", () => {
  test("keeps notes and approaches, and reads them back without the open questions", async () => {
    const project = await newProject();
    const written = await project.data("plan", "write-finding", "backend", "--notes", "See PR #12: done", "--approaches", APPROACHES);
    expect(written).toMatchObject({ specialist_name: "backend", approaches: ["1", "2_A", "2_B"] });
    const { findings } = await project.data("plan", "get-findings", "--full");
    expect(findings).toEqual([
      {
        specialist_name: "backend",
        notes: "See PR #12: done",
        approaches: [
          { approach_id: "1", number: 1, description: "JWT", relevant_files: ["a.ts"], approach_detail: "Long\ntext\n" },
          { approach_id: "2_A", number: 2, variant: "A", description: "Redis" },
          { approach_id: "2_B", number: 2, variant: "B", description: "Postgres" },
        ],
      },
    ]);
    expect(JSON.stringify(await project.data("plan", "get-findings"))).not.toContain("How long?");
    expect(project.read("findings/backend.yaml")).toContain("How long?");
  });

  test("takes the whole document from a file and from stdin, JSON or YAML", async () => {
    const project = await newProject();
    project.write("draft.yaml", "notes: |\n  From a file\napproaches:\n  - number: 1\n    description: One\n");
    await project.data("plan", "write-finding", "backend", "--input", join(project.plan, "draft.yaml"));
    const piped = await envoy(["plan", "write-finding", "frontend", "--input", "-"], {
      cwd: project.root,
      input: JSON.stringify({ notes: "x".repeat(300_000) }),
    });
    expect(piped.code).toBe(0);
    const { findings } = await project.data("plan", "get-findings");
    expect(findings.map((f: any) => [f.specialist_name, f.notes.length])).toEqual([
      ["backend", 12],
      ["frontend", 300_000],
    ]);
  });

  test("replaces only what is given, and keeps comments, unknown keys and a person's answers", async () => {
    const project = await newProject();
    project.write(
      "findings/backend.yaml",
      "# mine\nspecialist_name: backend   # who\nteam: {lead: Ada}\nnotes: old\napproaches:\n  - number: 1\n    description: a\n    user_addressed_questions:\n      - question: Q\n        answer: A\n",
    );
    await project.data("plan", "write-finding", "backend", "--notes", "new");
    expect(project.read("findings/backend.yaml")).toContain(
      "# mine\nspecialist_name: backend   # who\nteam: {lead: Ada}\nnotes: new\napproaches:\n  - number: 1\n",
    );
    await project.data("plan", "write-finding", "backend", "--approaches", '[{"number":1,"description":"b"}]');
    const approach = await project.data("plan", "get-finding-approach", "backend", "1");
    expect(approach).toMatchObject({ description: "b", user_addressed_questions: [{ question: "Q", answer: "A" }] });
    expect(project.read("findings/backend.yaml")).toContain("# mine\nspecialist_name: backend   # who\nteam: {lead: Ada}\nnotes: new\n");
  });

  test.each([
    ["not JSON", "[{", "invalid_input"],
    ["an unknown key", '[{"number":1,"detail":"x"}]', "invalid_input"],
    ["a wrong type", '[{"number":"one"}]', "invalid_input"],
    ["the same approach twice", '[{"number":1},{"number":1}]', "invalid_input"],
    ["a number with and without variants", '[{"number":1},{"number":1,"variant":"A"}]', "invalid_input"],
    ["a prototype key", '[{"number":1,"__proto__":{}}]', "invalid_input"],
  ])("refuses %s and writes nothing", async (_what, json, type) => {
    const project = await newProject();
    const { code, issues } = await project.error(type, "plan", "write-finding", "backend", "--approaches", json);
    expect(code).toBe(4);
    expect(issues.length).toBeGreaterThan(0);
    expect(existsSync(join(project.plan, "findings/backend.yaml"))).toBe(false);
  });

  test("needs something to write, from one source", async () => {
    const project = await newProject();
    expect((await project.error("missing_argument", "plan", "write-finding", "backend")).code).toBe(2);
    await project.error("conflicting_flags", "plan", "write-finding", "backend", "--notes", "a", "--input", "-");
    await project.error("input_unreadable", "plan", "write-finding", "backend", "--input", "nowhere.json");
    await project.error("input_unreadable", "plan", "write-finding", "backend", "--input", "-");
    project.write("latin1.txt", Buffer.from([0xe9, 0x0a]));
    await project.error("input_unreadable", "plan", "write-finding", "backend", "--input", join(project.plan, "latin1.txt"));
  });
});

describe("write-approach", () => {
  test("adds, then rewrites: clears requested changes, keeps answered questions and what is not given", async () => {
    const project = await newProject();
    expect(
      await project.data(
        "plan",
        "write-approach",
        "ui",
        "1",
        "--description",
        "- a list",
        "--files",
        "a.ts, b.ts",
        "--question",
        "Why?",
        "--question",
        "When?",
      ),
    ).toMatchObject({ created: true });
    const file = project.read("findings/ui.yaml");
    expect(file).toContain("- question: Why?");
    project.write(
      "findings/ui.yaml",
      file.replace(
        'user_requested_changes: ""',
        "user_requested_changes: Use hooks\n    user_addressed_questions:\n      - question: Q\n        answer: A # kept\n    odd: 1",
      ),
    );
    expect(await project.data("plan", "write-approach", "ui", "1", "--context", "New detail")).toMatchObject({ created: false });
    const approach = await project.data("plan", "get-finding-approach", "ui", "1");
    expect(approach).toEqual({
      specialist_name: "ui",
      approach_id: "1",
      number: 1,
      description: "- a list",
      relevant_files: ["a.ts", "b.ts"],
      user_addressed_questions: [{ question: "Q", answer: "A" }],
      odd: 1,
      approach_detail: "New detail",
    });
    expect(project.read("findings/ui.yaml")).toContain("- question: Why?");
    expect(project.read("findings/ui.yaml")).toContain("answer: A # kept\n    odd: 1\n");
  });

  test("changes only the lines of the keys it sets", async () => {
    const project = await newProject();
    const text =
      "# top\nspecialist_name: ui\napproaches:\n  # the first\n  - number:   1   # one\n    description: old   # why\n    mine: {x: 1}\n\n  # the second\n  - {number: 2,   description: two}\n# end\n";
    project.write("findings/ui.yaml", text);
    await project.data("plan", "write-approach", "ui", "1", "--description", "new");
    await project.data("plan", "write-approach", "ui", "2", "--description", "zwei");
    const changed = text.replace("old ", "new ").replace("description: two", 'description: "zwei"');
    expect(project.read("findings/ui.yaml")).toBe(changed);
    await project.data("plan", "write-finding", "ui", "--approaches", '[{"number":1,"description":"new"},{"number":3,"description":"3"}]');
    const [kept] = changed.split("  - {number: 2");
    expect(project.read("findings/ui.yaml").startsWith(kept!)).toBe(true);
    expect(project.read("findings/ui.yaml").endsWith("# end\n")).toBe(true);
    expect((await project.data("plan", "get-findings")).findings[0].approaches).toEqual([
      { approach_id: "1", description: "new" },
      { approach_id: "3", description: "3" },
    ]);
  });

  test("never mixes a standalone approach with variants of its number", async () => {
    const project = await newProject();
    await project.data("plan", "write-approach", "ui", "1", "--description", "alone");
    expect((await project.error("standalone_exists", "plan", "write-approach", "ui", "1", "--variant", "A")).suggestion).toContain(
      "clear-approach ui 1",
    );
    await project.data("plan", "clear-approach", "ui", "1");
    await project.data("plan", "write-approach", "ui", "1A", "--description", "a");
    await project.data("plan", "write-approach", "ui", "1", "B", "--description", "b");
    expect((await project.error("variants_exist", "plan", "write-approach", "ui", "1")).suggestion).toContain("clear-approach ui 1 A");
    await project.error("conflicting_flags", "plan", "write-approach", "ui", "1_A", "--variant", "B");
    for (const variant of ["../x", "a", "AB", "", "-"])
      expect((await project.error("invalid_argument", "plan", "write-approach", "ui", "2", `--variant=${variant}`)).message).toContain(
        "one capital letter",
      );
  });

  test("loses none of eight written at the same time", async () => {
    const project = await newProject();
    const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
    const runs = await Promise.all(
      numbers.map((n) => project.envoy("plan", "write-approach", "backend", `${n}`, "--description", `d${n}`)),
    );
    expect(runs.map((run) => run.code)).toEqual(numbers.map(() => 0));
    const { findings } = await project.data("plan", "get-findings");
    expect(findings[0].approaches.map((a: any) => a.description).sort()).toEqual(numbers.map((n) => `d${n}`));
  });

  test("takes its long detail from a file or stdin", async () => {
    const project = await newProject();
    const detail = "# Detail\n\n---\n- with: yaml\n\ttabs and 🚀\n".repeat(5000);
    expect((await envoy(["plan", "write-approach", "ui", "1", "--input", "-"], { cwd: project.root, input: detail })).code).toBe(0);
    expect((await project.data("plan", "get-finding-approach", "ui", "1")).approach_detail).toBe(detail);
    await project.error("conflicting_flags", "plan", "write-approach", "ui", "1", "--context", "x", "--input", "-");
  });
});

test("clear-approach removes one and leaves the rest of the file alone", async () => {
  const project = await newProject();
  const rest = "# top\nspecialist_name: ui\nnotes:    spaced   # c\napproaches:\n";
  project.write(
    "findings/ui.yaml",
    `${rest}  # one\n  - number: 1\n    description: a\n  # two\n  - number: 2\n    description: b   # bee\n`,
  );
  expect(await project.data("plan", "clear-approach", "ui", "1")).toMatchObject({ removed: true, approach_id: "1", description: "a" });
  expect(project.read("findings/ui.yaml")).toBe(`${rest}  # one\n  # two\n  - number: 2\n    description: b   # bee\n`);
  await project.data("plan", "clear-approach", "ui", "2");
  expect(await project.data("plan", "get-findings")).toEqual({ findings: [{ specialist_name: "ui", notes: "spaced" }] });
  await project.error("approach_not_found", "plan", "clear-approach", "ui", "2");
  await project.error("finding_not_found", "plan", "clear-approach", "nobody", "2");
});

test("says which specialists and approaches there are when one is not found", async () => {
  const project = await newProject();
  await project.data("plan", "write-approach", "ui", "3", "--description", "x");
  expect((await project.error("finding_not_found", "plan", "get-finding-approach", "backend", "1")).message).toContain("ui");
  const missing = await project.error("approach_not_found", "plan", "get-finding-approach", "ui", "1", "A");
  expect(missing).toMatchObject({ code: 3, message: expect.stringContaining("Approaches: 3.") });
});
