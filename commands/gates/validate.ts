import { requireGates } from "../../src/quality/gates.ts";
import { printWhen } from "../../src/quality/when.ts";
import { readConfig } from "../../src/stores/config.ts";
import { defineCommand } from "../command.ts";
import { openProject } from "../open-project.ts";

export const command = defineCommand({
  summary: "Check the configured gates: every mistake at once, with line and column",
  example: "envoy gates validate",
  async run(_input, context) {
    const config = await readConfig((await openProject(context)).directory);
    const { formula, gates, warnings } = requireGates(config);
    for (const warning of warnings) context.note(`envoy: ${warning}`);
    const shown = gates.map(({ name, type, serial, failFast, when }) => ({
      name,
      type,
      serial,
      fail_fast: failFast,
      when: when && printWhen(when),
    }));
    return { data: { file: config.file, formula, gates: shown, retry: config.config.retry, warnings } };
  },
});
