// What any command finishes before it looks: answers that were saved while nobody waited, times that have passed,
// ends that were not brought to their end, and questions of tasks that are over. Without open questions it costs one look.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { hasEnded } from "../../schemas/question-words.ts";
import { type GateState, foldGate } from "../gate/history.ts";
import { type House, isQuestionId, placeOf, readGate } from "../gate/house.ts";
import { needsLook } from "../gate/needs-look.ts";
import { setAside } from "../stores/form-files.ts";
import { errorCode } from "../system/safe-path.ts";
import type { QuestionSubject } from "./question.ts";
import { type LiveFacts, liveQuestionFacts } from "./state.ts";
import { readTask } from "./task-records.ts";

/** The live records as they are afterwards, so that they need not be read again. */
export async function settleQuestions(house: House): Promise<LiveFacts> {
  const facts = await liveQuestionFacts(house);
  const live = facts.flatMap(({ id, facts }) => foldGate(id, facts) ?? []);
  const forms = join(house.project.directory, "user_feedback");
  const touched = live.filter((gate) => needsLook(house, gate));
  for (const { id } of touched) {
    const { look } = await import("../gate/look.ts");
    await look(house, id);
  }
  const withdrawn = await withdrawEnded(house, live);
  await clearLeftOvers(house, forms, new Set(live.map(({ id }) => id)));
  return touched.length || withdrawn ? liveQuestionFacts(house) : facts;
}

/** Questions that were open when their task ended. One asked after that is somebody's wish. */
async function withdrawEnded(house: House, live: readonly GateState[]): Promise<boolean> {
  const ofTasks = live.filter(({ end, expired, subject }) => !end && !expired && (subject as QuestionSubject).task_id !== undefined);
  let withdrawn = false;
  for (const { id, opened, subject } of ofTasks) {
    const task = await readTask(house, (subject as QuestionSubject).task_id!);
    if (!task || !hasEnded(task.stored) || opened.at > task.storedAt) continue;
    const { withdrawQuestion } = await import("./answer.ts");
    await withdrawQuestion(house, id, `task ${task.task_id} is ${task.stored}`);
    withdrawn = true;
  }
  return withdrawn;
}

/** An editor that was still open has saved the form again after the end: kept, told, and never taken for an answer. */
async function clearLeftOvers(house: House, forms: string, live: ReadonlySet<string>): Promise<void> {
  const left = namesIn(forms)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => name.slice(0, -".yaml".length))
    .filter((id) => isQuestionId(id) && !live.has(id));
  for (const id of left) {
    const gate = await readGate(house, id);
    const aside = gate?.applied && (await setAside(placeOf(house, id, gate.opened)));
    if (aside)
      house.note(`envoy: ${id}.yaml was saved again after it was ${gate.end!.type}; that changes nothing. The text is kept in ${aside}`);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}
