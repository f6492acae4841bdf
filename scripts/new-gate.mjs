// Stamps a new gate: `npm run new:gate -- plan block-rollout-gate`. Schema, command, registry lines, example and fixture
// are ready to build; docs/layout.md says what remains.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const [group = "", name = ""] = process.argv.slice(2);
const [, words] = /^block-([a-z][a-z0-9]*(?:-[a-z0-9]+)*)-gate$/.exec(name) ?? [];
const file = join("commands", group, `${name}.ts`);

function stamp() {
  const kind = `${words.replaceAll("-", "_")}_gate`;
  const camel = words.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
  const Contract = `${camel[0].toUpperCase()}${camel.slice(1)}Gate`;
  const spoken = words.replaceAll("-", " ");

  change("schemas/gates.ts", (text) => `${text}\n${contractOf(Contract, kind)}`);
  create(file, commandOf({ Contract, kind, spoken }));
  change("commands/gates.ts", (text) => addEntry(text, `  ${kind}: () => import("./${group}/${name}.ts"),`));
  change("commands/index.ts", (text) => addEntry(text, `  "${group} ${name}": () => import("./${group}/${name}.ts"),`));
  change("commands/forms.ts", (text) =>
    text
      .replace(/(\n\ninterface Shown)/, `\nimport { gate as ${camel}Gate } from "./${group}/${name}.ts";$1`)
      .replace(/\n\];\s*$/, `\n  contract(${camel}Gate, ${camel}Gate.template({ plan: "feature-login" })),\n];\n`),
  );
  create(`fixtures/gates/${words}/accept/case.json`, `${JSON.stringify(caseOf(kind), null, 2)}\n`);
  console.log("Now make it yours, then see docs/layout.md, step 4: record the fixture; step 5: schemas and docs.");
}

function change(path, edit) {
  const before = readFileSync(join(root, path), "utf8");
  const after = edit(before);
  if (after === before) throw new Error(`${path} does not look as expected; nothing was added there`);
  writeFileSync(join(root, path), after);
  console.log(`changed ${path}`);
}

function create(path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text, { flag: "wx" });
  console.log(`created ${path}`);
}

/** At the end of the file's first table. */
const addEntry = (text, line) => text.replace(/\n\};/, `\n${line}\n};`);

const contractOf = (Contract, kind) => `export const ${Contract} = {
  kind: "${kind}",
  answers: object({ thoughts, approved: boolean().describe("true to go on, false to stop") }),
};
`;

const commandOf = ({ Contract, kind, spoken }) => `import { ${Contract} } from "../../schemas/gates.ts";
import { defineGate } from "../../src/gate/gate.ts";
import { thoughts, yesNo } from "../../src/gate/fields.ts";
import { gateCommand } from "../gate-command.ts";

interface Subject {
  plan: string;
}

export const gate = defineGate(${Contract})({
  summary: "Ask a person about the ${spoken}",
  title: "${spoken.toUpperCase()} GATE",
  key: () => "${kind}",
  load: async ({ plan }): Promise<{ subject: Subject }> => ({ subject: { plan: plan.name } }),
  template: ({ plan }) => [thoughts(), { ...yesNo("approved", "true to go on, false to stop", null), notes: plan }],
  decide: ({ approved }) => ({
    changes: [],
    result: { approved },
    proceed: approved,
    summary: approved ? "The person approved the ${spoken}." : "The person did not approve the ${spoken}.",
    next: approved ? "Go on." : "Stop here, and do what the person says.",
  }),
});

export const command = gateCommand(gate, { name: "${group} ${name}", example: "envoy ${group} ${name} --wait 9m" });
`;

const caseOf = (kind) => ({
  title: "goes on when the person approves",
  steps: [
    { run: `${group} ${name}` },
    { see: `opened ${kind}` },
    {
      save: `${kind}.yaml`,
      replace: [
        ["approved: null", "approved: true"],
        ["\ndone: false", "\ndone: true"],
      ],
    },
    { end: "gate" },
  ],
});

const refusal =
  !/^[a-z][a-z0-9]*$/.test(group) || !words
    ? `Usage: npm run new:gate -- plan block-<words>-gate`
    : existsSync(join(root, file)) && `${file} is there already.`;
if (refusal) {
  console.error(refusal);
  process.exitCode = 2;
} else stamp();
