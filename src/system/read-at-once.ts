// Small files in one go: the first awaited look at a file starts threads, which takes longer than the whole reading.
import { constants, lstatSync, readFileSync } from "node:fs";
import { errorCode } from "./safe-path.ts";

/** A link is not followed, and a pipe without a writer keeps nobody waiting. Node understands numbers here, its types only texts. */
export const PLAINLY = (constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK) as unknown as string;

/** Whether a plain file holds exactly one of these texts. Whatever else lies there, or nothing, does not. */
export function holdsOneOf(file: string, texts: readonly string[]): boolean {
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (!stats?.isFile()) return false;
    const candidates = texts.filter((text) => Buffer.byteLength(text) === stats.size);
    return candidates.length > 0 && candidates.includes(readFileSync(file, { encoding: "utf8", flag: PLAINLY }));
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}
