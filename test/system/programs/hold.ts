// Holds the lock at PATH until its stdin ends; says `held` when it has it.
import { once } from "node:events";

import { withLock } from "../../../src/system/lock.ts";

await withLock(process.argv[2] ?? "", async () => {
  process.stdout.write("held\n");
  process.stdin.resume();
  await once(process.stdin, "end");
});
