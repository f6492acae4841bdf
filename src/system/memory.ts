// What V8 does by itself about a process that waits for hours.
import { setFlagsFromString } from "node:v8";

/**
 * Some seconds after a process has started, V8 collects its garbage up to three times, each time for more CPU than twelve
 * hours of waiting take. The first time frees nearly all. A V8 that does not know a flag would say so on stderr.
 */
const COLLECT_ONCE: Record<string, string> = {
  11: "--memory-reducer-single-gc",
  12: "--memory-reducer-gc-count=1",
  13: "--memory-reducer-gc-count=1",
};

export function collectGarbageOnce(): void {
  const flag = COLLECT_ONCE[Number.parseInt(process.versions.v8, 10)];
  if (flag) setFlagsFromString(flag);
}
