// Types every case of fixtures/forms/typed/cases.json into a real editor on a real terminal and keeps the bytes that it
// saved. Run after changing the cases or the form's text: `npm run build && node scripts/record-typed-forms.mjs`
// (names of cases behind it record only those).
import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const fixtures = join(root, "fixtures/forms/typed");
const { writeForm } = await import(pathToFileURL(join(root, "dist/lib/src/form/write.js")));
const description = JSON.parse(readFileSync(join(fixtures, "form.json"), "utf8"));
const { cases } = JSON.parse(readFileSync(join(fixtures, "cases.json"), "utf8"));

/** Shorthands for keys, so that a case reads like what a person does. `<thoughts>` goes to the empty line of that field. */
const KEYS = {
  "<esc>": "\u001b",
  "<cr>": "\r",
  "<tab>": "\t",
  "<thoughts>": "gg/^thoughts:\rj",
  "<backend>": "gg/backend_1:\r/user_required\rj",
  "<frontend>": "gg/frontend_1_A:\r/user_required\rj",
  "<rejected>": "gg/rejected: \r",
  "<answer>": "gg/answer: |\rj",
  "<decision>": "gg/^decision:\r",
  "<done>": "gg/^ *\\zsdone:\rWCtrue\u001b",
  "<save>": ":wq\r",
};
const NANO = {
  "<down>": "\u001b[B",
  "<up>": "\u001b[A",
  "<end>": "\u001b[F",
  "<cr>": "\r",
  "<tab>": "\t",
  "<back>": "\u007f",
  "<save>": "\u000f\r\u0018",
  "<last>": "\u001b/",
};
const spell = (text, table) => text.replace(/<[a-z]+>/g, (name) => table[name] ?? name);

const form = writeForm(description, { gateId: "g_7k2m9xq4twe" });
writeFileSync(join(fixtures, "form.yaml"), form);
const named = process.argv.slice(2);
for (const { name, editor = "vim", keys } of cases.filter((own) => !named.length || named.includes(own.name))) {
  const folder = mkdtempSync(join(tmpdir(), "envoy-typed-"));
  const file = join(folder, "review_gate.yaml");
  writeFileSync(file, form);
  await (editor === "nano" ? typeInNano(file, spell(keys, NANO)) : typeInVim(folder, file, spell(keys, KEYS)));
  copyFileSync(file, join(fixtures, `${name}.yaml`));
  rmSync(folder, { recursive: true });
}

function typeInVim(folder, file, keys) {
  writeFileSync(join(folder, "keys"), keys);
  return onTerminal(`vim -u DEFAULTS -n -i NONE -s '${folder}/keys' '${file}'`);
}

/** nano reads only its terminal: the keys are sent once its screen is there. */
function typeInNano(file, keys) {
  return onTerminal(`nano -I '${file}'`, { until: "Exit", send: keys });
}

function onTerminal(command, { until, send } = {}) {
  return new Promise((done, fail) => {
    const child = spawn("script", ["-qec", command, "/dev/null"], { env: { ...process.env, TERM: "xterm" } });
    let screen = "";
    let sent = false;
    child.stdout.on("data", (chunk) => {
      screen += chunk;
      if (until && !sent && screen.includes(until)) {
        sent = true;
        child.stdin.write(send);
      }
    });
    child.on("close", (code) => (code === 0 ? done() : fail(new Error(`${command} ended with ${code}`))));
  });
}
