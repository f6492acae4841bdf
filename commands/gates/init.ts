import { FORMULAS } from "../../schemas/config.ts";
import { readGates } from "../../src/quality/gates.ts";
import { knownCommands, textWithGates } from "../../src/quality/gates-init.ts";
import { readConfig } from "../../src/stores/config.ts";
import { ensureProject } from "../../src/stores/project.ts";
import { writeFileAtomic } from "../../src/system/atomic-file.ts";
import { defineCommand } from "../command.ts";
import { choice } from "../flags.ts";
import { openProject } from "../open-project.ts";

export const command = defineCommand({
  summary: "Write a formula's gates out in full, into .envoy/config.yaml",
  details: "Whatever the file has already stays as it is. Commands are filled in where the project's own files name them.",
  flags: { formula: choice(FORMULAS, "which gates; default: the configured formula, or code-review") },
  example: "envoy gates init --formula quick-review",
  async run({ formula }, context) {
    const project = await openProject(context);
    const before = await readConfig(project.directory);
    const chosen = formula ?? before.config.gates?.formula ?? "code-review";
    const text = textWithGates(before, chosen, knownCommands(project.root));
    await ensureProject(project);
    if (text !== before.text) await writeFileAtomic(before.file, text, { mode: 0o644 });
    const { gates, issues } = readGates(await readConfig(project.directory));
    const next = issues.length
      ? "Fill in what `issues` names, then run `envoy gates validate`."
      : "Commit the file; `envoy gates run` runs the gates.";
    return { data: { file: before.file, formula: chosen, gates: gates.map(({ name, type }) => ({ name, type })), issues, next } };
  },
});
