// Writes a JSON Schema and an example of every form from its contract: `npm run schemas`. With `--check` it writes
// nothing and fails where a file is out of date. `--contracts FILE --root DIR` do the same for other contracts.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { toJSONSchema } from "zod";

const home = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const { values: given } = parseArgs({
  options: {
    check: { type: "boolean" },
    contracts: { type: "string", default: join(home, "dist/lib/commands/forms.js") },
    root: { type: "string", default: home },
  },
});
const load = (file) => import(pathToFileURL(resolve(file)));
const { DONE_HELP, editorSchema, writeForm } = await load(join(home, "dist/lib/src/form/index.js"));
const { FORMS } = await load(given.contracts);

const SCHEMAS = "schemas/json";
const EXAMPLES = "user_feedback";

const files = Object.fromEntries(
  FORMS.flatMap(({ key, answers, example }) => {
    const schema = toJSONSchema(answers, { target: "draft-7", io: "input", unrepresentable: "any" });
    const lenient = editorSchema(schema, { title: example.title[0] ?? key, doneHelp: DONE_HELP });
    return [
      [`${SCHEMAS}/${key}.json`, `${JSON.stringify(lenient, null, 2)}\n`],
      [`${EXAMPLES}/${key}.yaml`, writeForm({ ...example, schemaPath: `../${SCHEMAS}/${key}.json` }, { gateId: "g_example" })],
    ];
  }),
);

const orAbsent = (read, absent) => {
  try {
    return read();
  } catch (error) {
    if (error.code === "ENOENT") return absent;
    throw error;
  }
};
const present = [
  [SCHEMAS, ".json"],
  [EXAMPLES, ".yaml"],
].flatMap(([folder, ending]) =>
  orAbsent(() => readdirSync(join(given.root, folder)), [])
    .filter((name) => name.endsWith(ending) && !name.startsWith("reviewer-")) // those are written by `npm run docs`
    .map((name) => `${folder}/${name}`),
);
// The reviewers' schemas are written with the docs.
const leftOver = present.filter((file) => !(file in files) && !file.startsWith(`${SCHEMAS}/reviewer-`));
const stale = Object.keys(files).filter((file) => orAbsent(() => readFileSync(join(given.root, file), "utf8"), undefined) !== files[file]);

if (given.check) {
  for (const file of [...stale, ...leftOver]) console.error(`${file} is out of date: run \`npm run schemas\``);
  process.exitCode = stale.length + leftOver.length ? 1 : 0;
} else {
  for (const file of leftOver) rmSync(join(given.root, file));
  for (const file of stale) {
    mkdirSync(join(given.root, dirname(file)), { recursive: true });
    writeFileSync(join(given.root, file), files[file]);
  }
}
