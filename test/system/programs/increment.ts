// Reads a number under the lock and writes the next one, many times: `FOLDER NAME TIMES`. Each turn also adds a line
// with the worker's name and turn, so that lost and repeated turns show even if workers are killed.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { appendToFile } from "../../../src/system/append-file.ts";
import { withLock } from "../../../src/system/lock.ts";

const [folder = "", name, times] = process.argv.slice(2);
const counter = join(folder, "counter");
for (let turn = 0; turn < Number(times); turn++) {
  await withLock(
    join(folder, "lock"),
    async (lock) => {
      const seen = Number(await readFile(counter, "utf8"));
      await lock.assertHeld();
      await appendToFile(join(folder, "turns"), `${name} ${turn}\n`);
      // Not atomic on purpose: only the lock keeps two of these apart.
      await writeFile(counter, String(seen + 1));
    },
    { patienceMs: 50_000 },
  );
}
