import { randomUUID } from "node:crypto";
import { EnvoyError } from "../../schemas/errors.ts";
import { appendUserInputs } from "../../src/stores/user-input.ts";
import { now } from "../../src/system/clock.ts";
import { visibleText } from "../../src/system/visible-text.ts";
import { defineCommand } from "../command.ts";
import { input, planDir } from "../flags.ts";
import { openPlan } from "../open-plan.ts";
import { optionalText } from "../positionals.ts";
import { longText } from "../read-input.ts";

const NAME = "plan append-user-input";

export const command = defineCommand({
  summary: "Put a person's later remark or correction into the audit trail",
  positionals: { text: optionalText("text", "the remark, as the person said it; or use --input") },
  flags: { input: input("the remark"), "plan-dir": planDir() },
  example: `envoy plan append-user-input "Use the staging database, not the local one."`,
  async run(given, context) {
    const text = await longText({ name: "<text>", given: given.text }, given.input, { context, command: NAME });
    if (!text?.trim()) throw new EnvoyError("missing_argument", { name: "<text> or --input", command: NAME, rule: "the person's remark" });
    const plan = await openPlan(context, given["plan-dir"]);
    const id = `u_${randomUUID().replaceAll("-", "").slice(0, 16)}`;
    // An agent hands this text on, so nothing in it may draw on the terminal of whoever reads the trail.
    await appendUserInputs(plan, [{ id, at: now(), source: "remark", text: visibleText(text) }], { fresh: true });
    return { data: { entry_id: id, file: `${plan.directory}/user_input.md` } };
  },
});
