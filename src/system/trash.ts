// What was put away lies in the trash for a while, each folder with a note beside it that says since when.
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "./safe-path.ts";

/** Removes for good what was put away longer ago than that, and gives the names. What has no readable note stays. */
export async function emptyTrash(folder: string, olderThanMs: number): Promise<string[]> {
  const removed: string[] = [];
  for (const file of (await namesIn(folder)).filter((name) => name.endsWith(".json"))) {
    const since = sinceWhen(await readFile(join(folder, file), "utf8"));
    if (!(Date.now() - since > olderThanMs)) continue;
    const name = file.slice(0, -".json".length);
    await rm(join(folder, name), { recursive: true, force: true });
    // Last: a removal that was killed is finished by the next one.
    await rm(join(folder, file), { force: true });
    removed.push(name);
  }
  return removed;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

function sinceWhen(note: string): number {
  try {
    return Date.parse(String((JSON.parse(note) as { discarded?: unknown } | null)?.discarded));
  } catch (error) {
    if (error instanceof SyntaxError) return Number.NaN;
    throw error;
  }
}
