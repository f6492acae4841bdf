// JSON Schemas of the forms, for editors: a copy beside the forms, so that it resolves in containers and remote editors.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, readFileSafe, writeFileAtomic } from "../system/atomic-file.ts";
import type { Project } from "./project.ts";

/** The package's root, as seen from dist/bin, from dist/lib/src/stores, and from the sources. */
const ROOTS = ["../..", "../../../.."];
const MAX_BYTES = 1024 * 1024;

/** A form is as good without one, so a package without schemas is no failure. */
export async function copyEditorSchema({ root, directory }: Project, kind: string): Promise<void> {
  const packaged = ROOTS.map((up) => join(import.meta.dirname, up, "schemas/json", `${kind}.json`)).find((file) => existsSync(file));
  if (packaged === undefined) return;
  const folder = join(directory, "schemas");
  const copy = join(folder, `${kind}.json`);
  const schema = await readFile(packaged);
  if ((await readFileSafe(root, copy, { maxBytes: MAX_BYTES }))?.equals(schema)) return;
  await makeFolder(root, folder);
  await writeFileAtomic(copy, schema);
}
