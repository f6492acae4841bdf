// A person at a terminal: the question shown, the answer typed there or in an editor.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { EnvoyError } from "../schemas/errors.ts";
import type { House } from "../src/gate/house.ts";
import type { Question } from "../src/questions/question.ts";
import { makeFolder, readFileSafe, removeFile, writeFileAtomic } from "../src/system/atomic-file.ts";
import { now } from "../src/system/clock.ts";
import { formatDuration } from "../src/system/durations.ts";
import { visibleText } from "../src/system/visible-text.ts";
import type { Context } from "./command.ts";

/** Undefined without a terminal. An empty line is an empty answer. */
export async function askOnTerminal(question: Question, { prompt, note }: Context): Promise<string | string[] | undefined> {
  if (!prompt) return undefined;
  note(described(question));
  const { kind, choices = [] } = question.expected_answer;
  choices.forEach((choice, i) => note(`  ${i + 1}) ${choice}${choice === question.recommended ? "  (recommended)" : ""}`));
  const typed = await prompt(HINTS[kind]);
  if (!choices.length) return typed;
  const words = kind === "multi_choice" ? typed.split(",") : [typed];
  return words.map((word) => byNumber(word.trim(), choices)).filter((word) => word !== "");
}

const HINTS = {
  text: "answer> ",
  boolean: "yes or no> ",
  number: "number> ",
  json: "JSON> ",
  single_choice: "one of them, or its number> ",
  multi_choice: "some of them, or their numbers, with commas> ",
};

/** A choice that is itself a number means itself. */
function byNumber(word: string, choices: readonly string[]): string {
  if (choices.includes(word) || !/^\d{1,4}$/.test(word)) return word;
  return choices[Number(word) - 1] ?? word;
}

function described({ question_id, type, agent_id, task_id, prompt, context, created_at }: Question): string {
  const ago = formatDuration(now().getTime() - Date.parse(created_at));
  const head = `❓ ${question_id} · ${type} · asked by ${agent_id}${task_id ? ` for task ${task_id}` : ""} ${ago} ago`;
  return [head, "", indented(prompt), ...(context ? ["", indented(context)] : []), ""].join("\n");
}
const indented = (text: string) => text.replace(/^/gm, "  ");

const SCISSORS = "# ------------------------ >8 ------------------------";

/** What stands above the line counts, also lines that begin with `#`. Unchanged or empty is no answer. */
export async function editAnswer(house: House, question: Question, { environment, note }: Context): Promise<string> {
  const folder = join(house.project.directory, "state", "edit");
  const file = join(folder, `${question.question_id}-${randomBytes(6).toString("hex")}.md`);
  const commented = visibleText(described(question)).replace(/^/gm, "# ").replace(/ +$/gm, "");
  const { choices } = question.expected_answer;
  const help = choices ? [`# One of: ${visibleText(choices.join(", "))}`] : [];
  const written = ["", SCISSORS, "# Write your answer above that line, save, and close the editor.", commented, ...help, ""].join("\n");
  await makeFolder(house.project.root, folder);
  await writeFileAtomic(file, written);
  const { editFile } = await import("../src/system/editor.ts");
  await editFile(file, environment);
  const saved = (await readFileSafe(house.project.root, file, { maxBytes: 16 * 1024 * 1024 }))?.toString("utf8") ?? "";
  const answer = saved.split(SCISSORS)[0]!.trim();
  if (saved === written || answer === "") {
    await removeFile(file);
    throw new EnvoyError("question_invalid_answer", {
      question_id: question.question_id,
      issues: [{ path: "answer", message: "Nothing was written." }],
    });
  }
  note(`envoy: what you wrote is also kept in ${file}`);
  return answer;
}
