import { EnvoyError } from "../schemas/errors.ts";
import { fillForm } from "../src/gate/fill.ts";
import { findGate } from "../src/gate/find.ts";
import { look } from "../src/gate/look.ts";
import { type Flag, defineCommand } from "./command.ts";
import { text, toggle } from "./flags.ts";
import { gateName } from "./gate-name.ts";
import { fileOf } from "./gate-reply.ts";
import { openHouse } from "./house.ts";

const sets: Flag<{ path: string; value: string }[]> = {
  kind: "repeated",
  value: "PATH=VALUE",
  help: "fill in one field; `envoy show` lists them; may be given several times",
  read: (given, { command }) =>
    given.map((word) => {
      const at = word.indexOf("=");
      if (at < 1)
        throw new EnvoyError("invalid_argument", { name: "--set", given: word, rule: "a field's path, `=` and its value", command });
      return { path: word.slice(0, at), value: word.slice(at + 1) };
    }),
};

export const command = defineCommand({
  summary: "Fill in an open form from a script",
  details: "What stands in other fields stays. Without --done the form stays open with these values in it.",
  positionals: { id: gateName() },
  flags: {
    set: sets,
    done: toggle("the form is finished"),
    "answered-by": text("who answers; default: human", "WHO"),
  },
  example: "envoy answer 2A_testing --set test_passed=true --done",
  async run(input, context) {
    const house = await openHouse(context);
    const { id } = await findGate(house, input.id);
    await look(house, id); // an answer that is there already comes first, and a form that is gone comes back
    await fillForm(house, id, { sets: input.set, done: input.done, answeredBy: input["answered-by"] ?? "human" });
    const seen = await look(house, id);
    const about = { gate_id: id, gate: seen.gate.opened.key, file: fileOf(house, seen.gate) };
    if (seen.state === "failed") throw seen.error;
    if (seen.state === "ended") return { data: { ...about, file: undefined, accepted: true, summary: seen.gate.applied?.result?.summary } };
    if (seen.form === "handed_back") {
      throw new EnvoyError("invalid_feedback", {
        file: about.file,
        gate_id: id,
        issues: seen.marks.map((mark) => ({ file: about.file, ...mark })),
      });
    }
    return { data: { ...about, accepted: false, form: seen.form, next: "Set the rest, then add --done." } };
  },
});
