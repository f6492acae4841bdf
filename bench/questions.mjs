// A project with many questions, for `envoy check`: 10,000 ended ones, and 100 open ones of other agents.
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const idOf = (n) => `q_bench${String(n).padStart(6, "0")}`;

/** `ask` opens one question in `folder`; all others are copies of its record and its form under other ids. */
export function fillWithQuestions(folder, ask, { ended, open }) {
  ask();
  const records = join(folder, ".envoy/questions");
  const forms = join(folder, ".envoy/user_feedback");
  const [id] = readdirSync(records).filter((name) => name.startsWith("q_"));
  const fact = readFileSync(join(records, id, "00001.json"), "utf8");
  const form = readFileSync(join(forms, `${id}.yaml`), "utf8");
  for (let n = 1; n < open; n++) {
    mkdirSync(join(records, idOf(n)));
    writeFileSync(join(records, idOf(n), "00001.json"), fact.replaceAll(id, idOf(n)));
    writeFileSync(join(forms, `${idOf(n)}.yaml`), form.replaceAll(id, idOf(n)));
  }
  mkdirSync(join(records, "ended"), { recursive: true });
  for (let n = open; n < open + ended; n++) cpSync(join(records, id), join(records, "ended", idOf(n)), { recursive: true });
}
