// Findings whose plan was approved go to `findings/_archive/`, under names chosen before the first one moves.
import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, moveFile, readFileSafe } from "../system/atomic-file.ts";
import { errorCode, lstatIfThere } from "../system/safe-path.ts";
import type { Outcome } from "./changes.ts";
import { lockPlan } from "./plan-lock.ts";
import type { Plan } from "./plans.ts";

/** One file, as it was when the person answered. */
export interface ArchivedFindings {
  specialist: string;
  /** Its name in the archive. */
  as: string;
  content: string;
}

const MAX_BYTES = 256 * 1024 * 1024;
const source = (plan: Plan, specialist: string) => join(plan.directory, "findings", `${specialist}.yaml`);
const archive = (plan: Plan) => join(plan.directory, "findings", "_archive");

export async function prepareArchive(plan: Plan, specialists: readonly string[]): Promise<ArchivedFindings[]> {
  const taken = new Set(
    await readdir(archive(plan)).catch((error: unknown) => {
      if (errorCode(error) === "ENOENT") return [];
      throw error;
    }),
  );
  const files = await Promise.all(
    specialists.map(async (specialist) => {
      const content = await digest(plan, source(plan, specialist));
      return content === undefined ? undefined : { specialist, as: freeName(taken, specialist), content };
    }),
  );
  return files.filter((file) => file !== undefined);
}

function freeName(taken: Set<string>, specialist: string): string {
  let n = 1;
  const name = () => (n === 1 ? `${specialist}.yaml` : `${specialist}-${n}.yaml`);
  while (taken.has(name())) n++;
  taken.add(name());
  return name();
}

/** Findings that were rewritten since stay where they are: nobody has decided about those. */
export async function archiveFindings(plan: Plan, files: readonly ArchivedFindings[]): Promise<Outcome> {
  return lockPlan(plan, async (lock) => {
    const archived: string[] = [];
    const problems: string[] = [];
    await makeFolder(plan.directory, archive(plan));
    for (const { specialist, as, content } of files) {
      const [from, to] = [source(plan, specialist), join(archive(plan), as)];
      await lock.assertHeld();
      if (await finishMove(from, to)) archived.push(as);
      else if ((await digest(plan, to)) === content) archived.push(as);
      else if ((await digest(plan, from)) === content && (await moveFile(from, to))) archived.push(as);
      else problems.push(`The findings of ${specialist} were rewritten meanwhile and stay where they are.`);
    }
    return { archived_findings: archived, ...(problems.length ? { problems } : {}) };
  });
}

/** A move that was killed half-way has left both names on one file, which reads refuse as a hard link. */
async function finishMove(from: string, to: string): Promise<boolean> {
  const [source, target] = await Promise.all([lstatIfThere(from), lstatIfThere(to)]);
  return source?.isFile() === true && source.ino === target?.ino && source.dev === target.dev && moveFile(from, to);
}

async function digest(plan: Plan, file: string): Promise<string | undefined> {
  const bytes = await readFileSafe(plan.directory, file, { maxBytes: MAX_BYTES });
  return bytes && createHash("sha256").update(bytes).digest("hex");
}
