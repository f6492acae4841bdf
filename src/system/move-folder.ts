import { rename } from "node:fs/promises";
import { dirname } from "node:path";
import { failpoint } from "./failpoint.ts";
import { errorCode, ioFailed } from "./safe-path.ts";
import { syncFolder } from "./sync-folder.ts";

/** False: the name is taken. A folder that holds something is never replaced by a rename. */
export async function moveFolder(from: string, to: string): Promise<boolean> {
  try {
    failpoint("move-folder.rename");
    await rename(from, to);
    failpoint("move-folder.sync");
    await syncFolder(dirname(to));
    await syncFolder(dirname(from));
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOTEMPTY" || errorCode(error) === "EEXIST") return false;
    throw ioFailed(error, from, `move to ${to}`);
  }
}
