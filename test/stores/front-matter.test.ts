import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { editFrontMatter } from "../../src/stores/front-matter.ts";

/** One key as people write it: on its own line or below, quoted or not, with and without comments. */
const STATUS = [
  "status: reviewed\n",
  "status:    reviewed   # why\n",
  'status: "reviewed"\n',
  "'status': reviewed\n",
  "status:\n  reviewed\n",
  "status: # why\n  reviewed\n",
  "status: |-\n  reviewed\n",
  "status : reviewed\n",
];
const FILES = [
  "relevant_files: [a, b]   # both\n",
  "relevant_files:\n- a\n- b   # bee\n",
  "relevant_files:\n  - a\n\n  - b\n",
  "relevant_files: []\n",
  "relevant_files:\n",
  "relevant_files: null\n",
];
const OTHERS = [
  "number: 1\n",
  "owner: {name: Ada,   team: [x]}\n",
  "notes: |\n  text\n\n  # no comment\n",
  "folded: >+\n  a\n  b\n\n",
  "empty:\n",
  "\n",
  "# a remark\n",
  "    # indented remark\n",
  "nested:\n  status: inner\n  list:\n    - status: deeper\n",
  "? odd key\n: value\n",
];

const uniqueBy = (parts: string[]) => parts.filter((part, i) => /^\s*(#|\n)/.test(part) || parts.indexOf(part) === i);
const others = fc.array(fc.constantFrom(...OTHERS), { maxLength: 5 });
const body = fc.constantFrom("", "text\n", "\n\n\tBody \n---\nmore", "no newline");
const fence = fc.constantFrom("---\n", "---  \n");

function sourceOf(parts: { before: string; after: string; fence: string; body: string }, middle: string): string {
  return `---\n${parts.before}${middle}${parts.after}${parts.fence}${parts.body}`;
}

const frontOf = (text: string) => parse(/^---\n([\s\S]*?)^---/m.exec(text)![1]!);

const documents = fc.record({ all: fc.tuple(others, others), fence, body }).map(({ all: [first, second], ...rest }) => {
  const parts = uniqueBy([...first, "|", ...second]);
  const at = parts.indexOf("|");
  return { before: parts.slice(0, at).join(""), after: parts.slice(at + 1).join(""), ...rest };
});

/** A remark that is indented below a `|` is part of that text. */
const isRead = (parts: { after: string }, old: string) => !(old.includes("|") && /^\s* #/.test(parts.after));

test("setting a key leaves every byte before and after it, however it was written", () => {
  fc.assert(
    fc.property(documents, fc.constantFrom(...STATUS), fc.constantFrom("tested", "a: b # c", "two\nlines\n"), (parts, old, value) => {
      fc.pre(isRead(parts, old));
      const edited = editFrontMatter({ file: "1.md", text: sourceOf(parts, old) }, { status: value });
      const start = `---\n${parts.before}`;
      const end = `${parts.after}${parts.fence}${parts.body}`;
      expect(edited.startsWith(start)).toBe(true);
      expect(edited.endsWith(end)).toBe(true);
      const middle = edited.slice(start.length, edited.length - end.length);
      expect(parse(middle)).toEqual({ status: value });
      if (old.includes("# why")) expect(middle).toContain("# why");
    }),
    { numRuns: 600 },
  );
});

test("the same for a list", () => {
  fc.assert(
    fc.property(
      documents,
      fc.constantFrom(...FILES),
      fc.array(fc.constantFrom("a.ts", "# x", "- y"), { maxLength: 3 }),
      (parts, old, value) => {
        const edited = editFrontMatter({ file: "1.md", text: sourceOf(parts, old) }, { relevant_files: value });
        expect(edited.startsWith(`---\n${parts.before}`)).toBe(true);
        expect(edited.endsWith(`${parts.after}${parts.fence}${parts.body}`)).toBe(true);
        expect(frontOf(edited).relevant_files).toEqual(value);
      },
    ),
    { numRuns: 600 },
  );
});

test("several keys at once, there already or new, leave all other lines as they are", () => {
  fc.assert(
    fc.property(documents, fc.constantFrom(...STATUS), (parts, old) => {
      fc.pre(isRead(parts, old));
      const text = sourceOf(parts, old);
      const keys = { status: "tested", in_progress: true, worktree_branch_name: "feature/x--1" };
      const edited = editFrontMatter({ file: "1.md", text }, keys);
      const added = /^(in_progress: true|worktree_branch_name: feature\/x--1)\n/gm;
      expect(edited.match(added)).toHaveLength(2);
      const without = edited.replace(added, "");
      expect(without.startsWith(`---\n${parts.before}`)).toBe(true);
      expect(without.endsWith(`${parts.after}${parts.fence}${parts.body}`)).toBe(true);
      expect(frontOf(edited)).toMatchObject(keys);
    }),
    { numRuns: 600 },
  );
});

test("a front matter in braces keeps its bytes too", () => {
  const text = "---\n{number: 1,   status: 'reviewed', # why\n  owner: {name: Ada} }  # end\n---\nbody";
  expect(editFrontMatter({ file: "1.md", text }, { status: "tested", in_progress: false })).toBe(
    '---\n{number: 1,   status: "tested", # why\n  owner: {name: Ada}, in_progress: false }  # end\n---\nbody',
  );
});
