// The person of the demo: a script that edits the real forms as an editor would, or the reader (`--me`).
import { spawnSync } from "node:child_process";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { nextOf } from "./listen.mjs";
import { readerAnswers } from "./reader.mjs";
import { expect } from "./stage.mjs";

/** `saves` are the script's edits, one save each: pairs of a text in the form and what stands there afterwards. */
export async function answerForm(stage, waiters, { key, saves, logs }) {
  const form = formOf(stage, key);
  for (const waiter of waiters) await waiter.says("No person has answered yet");
  showForm(stage, form);
  if (stage.me) return readerAnswers(stage, waiters, form);
  if (logs) edit(stage, form.replace(/\.yaml$/, "_logs.md"), (text) => `${text}${logs}`);
  for (const [i, edits] of saves.entries()) {
    const next = nextOf(waiters);
    edit(stage, form, (text) => edits.reduce(replaced, text));
    if (i === saves.length - 1) return;
    expect((await next) === "back", "the form was not handed back");
    showMarks(stage, form);
  }
}

/** The script answers while no agent waits. */
export function answerUnattended(stage, { key, edits }) {
  const form = formOf(stage, key);
  showForm(stage, form);
  edit(stage, form, (text) => edits.reduce(replaced, text));
}

const formOf = ({ plan }, key) => join(plan, "user_feedback", `${key}.yaml`);

function replaced(text, [from, to]) {
  expect(text.includes(from), `the form has no ${JSON.stringify(from)}:\n${text}`);
  return text.replace(from, () => to);
}

/** Saves by rename, as vim does, and shows what was typed. */
function edit(stage, file, change) {
  const before = readFileSync(file, "utf8");
  writeFileSync(`${file}~`, change(before));
  const { stdout } = spawnSync("git", ["diff", "--no-index", "--no-color", "-U0", file, `${file}~`], {
    cwd: stage.folder,
    encoding: "utf8",
  });
  renameSync(`${file}~`, file);
  const typed = stdout.split("\n").filter((line) => /^[+-](?![+-]{2})/.test(line));
  stage.print(`\nThe person edits ${basename(file)} and saves:\n${indented(typed)}`);
}

/** The form as it lies there, without its head and its last line. */
function showForm(stage, file) {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  stage.print(`\nThe form ${basename(file)}:\n${indented(lines.slice(3, -1).filter((line) => line.trim() !== ""))}`);
}

function showMarks(stage, file) {
  const lines = readFileSync(file, "utf8").split("\n");
  const near = lines.map((_, i) => lines.slice(Math.max(0, i - 3), i + 1).some((line) => line.trim().startsWith("# ✗")));
  stage.print(
    `\nThe form came back to the person, nothing lost:\n${indented(lines.filter((line, i) => near[i] && line.trim() !== "" && !line.startsWith("# end of form")))}`,
  );
}

const indented = (lines) => lines.map((line) => `    │ ${line}`).join("\n");
