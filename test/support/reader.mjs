// The editor of a reader of the demo: `reader.mjs <session>… <form>`. How often it was opened on a form picks the session,
// and a session is one or more saves, such as `mistake+finish`; before the next save it waits for what envoy makes of one.
import { appendFileSync, existsSync, readFileSync, watch, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";

const form = process.argv.at(-1);
const sessions = process.argv.slice(2, -1);
const log = process.env.READER_LOG;
const saved = () => (existsSync(form) ? readFileSync(form, "utf8") : "");

const DONE = /^done: .*/m;
const mistake = form.endsWith("variants.yaml")
  ? [
      [/^( *decision: ).*/gm, "$1main"],
      [DONE, "done: true"],
    ]
  : [[DONE, "done: maybe"]];
const saves = {
  mistake,
  unfinished: [[DONE, "done: false "]],
  finish: [
    [/^(test_passed: ).*/m, "$1yes"],
    [/^( *B:\n[^]*?^ *decision: )main/m, "$1rejected"],
    [/^(decision: )null/m, "$1approve"],
    [DONE, "done: true"],
  ],
};
const isAnswered = { mistake: () => /^done: false$/m.test(saved()), finish: () => saved() === "" };

const save = (name) =>
  writeFileSync(
    form,
    saves[name].reduce((text, [from, to]) => text.replace(from, to), saved()),
  );

function saveAndWait(name) {
  return new Promise((done) => {
    const watcher = watch(dirname(form), () => {
      if (!isAnswered[name]()) return;
      watcher.close();
      done();
    });
    save(name);
  });
}

const opened = `${basename(form)}${saved() ? "" : " is gone"}\n`;
appendFileSync(log, opened);
const times = readFileSync(log, "utf8").split(opened).length - 1;
const session = sessions[times - 1].split("+");
if (session.length === 1) save(session[0]);
else for (const name of session) await saveAndWait(name);
process.stdout.write("The editor closes\n");
