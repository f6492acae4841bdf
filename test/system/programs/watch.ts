// Watches PATHS, comparing metadata every MS milliseconds: watch MS PATH…. Prints one line of JSON per look with what
// the files hold, and one per note; when its stdin ends it closes the watch and has nothing more to live for.
import { once } from "node:events";
import { readFileSync } from "node:fs";

import { watchPaths } from "../../../src/system/watch.ts";

const [everyMs, ...paths] = process.argv.slice(2);
const print = (line: unknown): unknown => process.stdout.write(`${JSON.stringify(line)}\n`);
const textOf = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "(none)";
  }
};
const watch = await watchPaths(paths, (reason) => print({ reason, texts: paths.map(textOf), pid: process.pid }), {
  everyMs: Number(everyMs),
  note: (note) => print({ note }),
});
process.stdin.resume();
await once(process.stdin, "end");
await watch.close();
