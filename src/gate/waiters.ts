// Which processes wait for a gate right now. Only for people to see: nothing depends on it.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, readFileSafe, removeFile, writeFileAtomic } from "../system/atomic-file.ts";
import { identifySelf, isDead, parseHolder } from "../system/lock-holder.ts";
import { errorCode } from "../system/safe-path.ts";
import type { House } from "./house.ts";

const folderOf = ({ project }: Pick<House, "project">) => join(project.directory, "state", "waiters");

/** Returns the function that takes it back. */
export async function registerWaiter(house: House, gateId: string): Promise<() => Promise<void>> {
  const folder = folderOf(house);
  const file = join(folder, `${gateId}.${process.pid}`);
  await makeFolder(house.project.root, folder);
  await writeFileAtomic(file, JSON.stringify(await identifySelf(gateId)));
  return async () => void (await removeFile(file));
}

/** Ids of the gates that a living process waits for. */
export async function waitedFor(house: Pick<House, "project">): Promise<Set<string>> {
  const folder = folderOf(house);
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  });
  const alive = await Promise.all(
    names.map(async (name) => {
      const holder = parseHolder(
        (await readFileSafe(house.project.root, join(folder, name), { maxBytes: 65_536 }))?.toString("utf8") ?? "",
      );
      return holder && !(await isDead(holder)) ? name.slice(0, name.lastIndexOf(".")) : undefined;
    }),
  );
  return new Set(alive.filter((id) => id !== undefined));
}
