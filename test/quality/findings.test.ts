import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type Finding, PRIORITIES, ReviewerOutput } from "../../schemas/quality.ts";
import { failsGate, mergeFindings, placeFindings } from "../../src/quality/findings.ts";
import { readAnswer } from "../../src/quality/reviewer-output.ts";

const one = { findings: [{ priority: "P1", issue: "Wrong sum" }] };
const json = JSON.stringify(one);
const read = (output: string) => readAnswer(output, ReviewerOutput);

describe("what a reviewer printed", () => {
  it.each([
    ["JSON alone", json],
    ["JSON over several lines", JSON.stringify(one, null, 2)],
    ["a fence", `\`\`\`json\n${json}\n\`\`\``],
    ["words before and after", `Here is my review:\n\n${json}\n\nI hope this helps {or not}.`],
    ["braces in the words before", `function f() {\n  return 1;\n}\n{ not json }\n${json}`],
    ["words with an open brace", `{ and then\n${json}`],
    ["the same answer twice", `${json}\n\n${json}`],
    ["Claude's own envelope", JSON.stringify({ type: "result", is_error: false, result: `\`\`\`json\n${json}\n\`\`\`` })],
    ["Gemini's own envelope", JSON.stringify({ response: json, stats: {} })],
    ["words of its own", JSON.stringify({ ...one, model: "x", findings: [{ ...one.findings[0], dimension: "y", suggestion: null }] })],
  ])("is understood with %s", (_, output) => {
    expect(read(output)).toMatchObject({ ok: true, value: one });
  });

  it.each([
    ["nothing", "", "printed nothing"],
    ["blank lines", "\n \n", "printed nothing"],
    ["words", "Looks good to me!", "no JSON object"],
    ["a list", `[${JSON.stringify(one.findings[0])}]`, "no JSON object"],
    ["JSON that was cut off", json.slice(0, -3), "no JSON object"],
    ["another shape", '{"ok": true}', "findings: "],
    ["an unknown priority", '{"findings":[{"priority":"high","issue":"x"}]}', "findings.0.priority"],
    ["an empty issue", '{"findings":[{"priority":"P0","issue":"  "}]}', "findings.0.issue"],
    ["two answers", `{"findings":[]}\n${json}`, "more than one answer"],
    ["an envelope with an error", JSON.stringify({ type: "result", is_error: true, result: json }), "an error of its own"],
    ["an envelope with words", JSON.stringify({ type: "result", result: "Looks good" }), "no JSON object"],
    ["a missing list", '{"summary": "fine"}', "findings: "],
  ])("is no answer where it is %s", (_, output, reason) => {
    expect(read(output)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });

  it("is understood with braces and quotes inside its texts", () => {
    const findings = [{ priority: "P2", issue: 'if (a) { return "}" \\ }' }];
    expect(read(`Done:\n${JSON.stringify({ findings }, null, 1)}`)).toEqual({ ok: true, value: { findings } });
  });

  it("never throws and never invents, whatever was printed", () => {
    const scraps = fc.constantFrom("{", "}", '"', "\\", "\n", "findings", ":", "[", "]", json, "```json\n", "a");
    fc.assert(
      fc.property(fc.array(scraps, { maxLength: 30 }), (parts) => {
        const output = parts.join("");
        const answer = read(output);
        if (answer.ok) expect(output).toContain('"findings"');
      }),
    );
  });
});

describe("where a finding is", () => {
  const exists = (path: string) => ["src/a.ts", "a/b.ts"].includes(path);

  it.each([
    ["src/a.ts", "src/a.ts"],
    ["./src/a.ts", "src/a.ts"],
    ["b/src/a.ts", "src/a.ts"],
    ["a/b.ts", "a/b.ts"],
  ])("%s is %s", (file, path) => {
    expect(placeFindings([{ priority: "P2", issue: "x", location: { file, line: 3, column: null } }], exists)).toEqual({
      ok: true,
      findings: [{ priority: "P2", issue: "x", location: { file: path, line: 3 } }],
    });
  });

  it.each(["src/gone.ts", "../secret", "/etc/passwd", "src"])("believes nothing of a reviewer that saw %s", (file) => {
    const said = [
      { priority: "P3" as const, issue: "x" },
      { priority: "P0" as const, issue: "y", location: { file } },
    ];
    expect(placeFindings(said, exists)).toEqual({ ok: false, reason: `it names files that do not exist: ${file}` });
  });
});

describe("findings of several reviewers", () => {
  const finding: fc.Arbitrary<Finding> = fc.record(
    {
      priority: fc.constantFrom(...PRIORITIES),
      location: fc.record({ file: fc.constantFrom("a", "b"), line: fc.nat(2).map((n) => n + 1) }),
      issue: fc.constantFrom("Wrong sum", "wrong sum.", "Slow", "No test"),
      suggestion: fc.constantFrom("Add", "Remove"),
    },
    { requiredKeys: ["priority", "issue"] },
  );

  it("are one list, each once, the gravest first", () => {
    const location = { file: "a.ts", line: 4 };
    expect(
      mergeFindings(
        [
          { priority: "P3", issue: "Name it" },
          { priority: "P2", location, issue: "Wrong sum.", suggestion: "Add both" },
        ],
        [
          { priority: "P0", location, issue: "wrong  sum" },
          { priority: "P2", location: { file: "a.ts", line: 5 }, issue: "Wrong sum." },
        ],
      ),
    ).toEqual([
      { priority: "P0", location, issue: "wrong  sum", suggestion: "Add both" },
      { priority: "P2", location: { file: "a.ts", line: 5 }, issue: "Wrong sum." },
      { priority: "P3", issue: "Name it" },
    ]);
  });

  it("take over the gravest's suggestion, whoever finished first", () => {
    const said = [
      { priority: "P1" as const, issue: "Slow", suggestion: "Remove" },
      { priority: "P0" as const, issue: "Slow" },
      { priority: "P3" as const, issue: "Slow", suggestion: "Add" },
    ];
    const expected = [{ priority: "P0", issue: "Slow", suggestion: "Remove" }];
    expect(mergeFindings(said)).toEqual(expected);
    expect(mergeFindings(said.toReversed())).toEqual(expected);
  });

  it("come out the same in whatever order the reviewers finished, and fail for the same reason", () => {
    fc.assert(
      fc.property(fc.array(finding), fc.array(finding), (a, b) => {
        const merged = mergeFindings(a, b);
        expect(mergeFindings(b, a)).toEqual(merged);
        expect(mergeFindings(merged)).toEqual(merged);
        expect(failsGate(merged)).toBe(failsGate([...a, ...b]));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["P0", true],
    ["P1", true],
    ["P2", false],
    ["P3", false],
  ] as const)("with %s fail the gate: %s", (priority, fails) => {
    expect(failsGate([{ priority, issue: "x" }])).toBe(fails);
  });
});
