// Makes one change to files: `write|create|append PATH DATA`, `move FROM TO`, `remove PATH`, `folder ROOT PATH`.
import { appendToFile } from "../../../src/system/append-file.ts";
import { makeFolder, moveFile, removeFile, writeFileAtomic } from "../../../src/system/atomic-file.ts";

const [act, path = "", value = ""] = process.argv.slice(2);
if (act === "write") await writeFileAtomic(path, value);
else if (act === "create") await writeFileAtomic(path, value, { ifAbsent: true });
else if (act === "append") await appendToFile(path, value);
else if (act === "move") await moveFile(path, value);
else if (act === "remove") await removeFile(path);
else if (act === "folder") await makeFolder(path, value);
else throw new Error(`unknown act ${act}`);
