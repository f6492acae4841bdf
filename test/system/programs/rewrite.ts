// Replaces PATH many times by as many equal letters as it has: `PATH LENGTH TIMES`.
import { writeFileAtomic } from "../../../src/system/atomic-file.ts";

const [path = "", length, times] = process.argv.slice(2);
for (let i = 0; i < Number(times); i++) await writeFileAtomic(path, (i % 2 ? "a" : "b").repeat(Number(length)));
