// What any command finishes before it looks: answers that were saved while nobody waited, times that have passed,
// ends that were not brought to their end, and questions of tasks that are over. Without open questions it costs one look.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { hasEnded } from "../../schemas/question-words.ts";
import { type GateState, foldGate } from "../gate/history.ts";
import { type House, isQuestionId, placeOf, readGate } from "../gate/house.ts";
import { formFile, setAside } from "../stores/form-files.ts";
import { now } from "../system/clock.ts";
import { errorCode } from "../system/safe-path.ts";
import type { QuestionSubject } from "./question.ts";
import { liveQuestionFacts } from "./state.ts";
import { readTask } from "./task-records.ts";

export async function settleQuestions(house: House): Promise<void> {
  const live = (await liveQuestionFacts(house)).flatMap(({ id, facts }) => foldGate(id, facts) ?? []);
  for (const gate of live.filter((each) => needsLook(house, each))) {
    const { look } = await import("../gate/look.ts");
    await look(house, gate.id);
  }
  for (const gate of live.filter(({ end }) => !end)) await withdrawIfTaskEnded(house, gate);
  await clearLeftOvers(house, new Set(live.map(({ id }) => id)));
}

/** Cheap: nothing is locked, judged or loaded for a form that nobody has touched. */
function needsLook(house: House, gate: GateState): boolean {
  if (gate.end) return true;
  if (!gate.expired && gate.deadline !== null && gate.deadline <= now()) return true;
  const form = readIfThere(formFile(placeOf(house, gate.id, gate.opened)));
  return form !== gate.form.written && (form === undefined || form !== gate.handedBack?.text);
}

/** Unsafe files are found by the look that follows; here they only count as different. */
function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

async function withdrawIfTaskEnded(house: House, { id, opened, subject, expired }: GateState): Promise<void> {
  const { task_id } = subject as QuestionSubject;
  if (task_id === undefined || expired) return;
  const task = await readTask(house, task_id);
  // Asked after the task had ended: that is somebody's wish.
  if (!task || !hasEnded(task.stored) || opened.at > task.storedAt) return;
  const { withdrawQuestion } = await import("./answer.ts");
  await withdrawQuestion(house, id, `task ${task_id} is ${task.stored}`);
}

/** An editor that was still open has saved the form again after the end: kept, told, and never taken for an answer. */
async function clearLeftOvers(house: House, live: ReadonlySet<string>): Promise<void> {
  const left = namesIn(join(house.project.directory, "user_feedback"))
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
