import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { errorCode } from "./safe-path.ts";

// Some file systems and Windows cannot sync a folder; there is nothing more to do for them.
const CANNOT_SYNC_FOLDERS = new Set(["EINVAL", "ENOTSUP", "EISDIR", ...(process.platform === "win32" ? ["EPERM", "EACCES"] : [])]);

/** After this the names in the folder survive a power loss. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!CANNOT_SYNC_FOLDERS.has(errorCode(error) ?? "")) throw error;
  }
}
