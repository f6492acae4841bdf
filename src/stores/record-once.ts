import type { Change } from "./changes.ts";
import type { Project } from "./project.ts";
import { fileRecords } from "./records.ts";

/** Adds a fact unless one from the same place stands there already; `from` is kept with it. */
export async function recordOnce(
  project: Project,
  { stream, fact }: Extract<Change, { change: "record" }>,
  from: string,
): Promise<undefined> {
  const records = fileRecords(project);
  for (;;) {
    const facts = await records.read<{ type: string; from?: string }>(stream);
    if (facts.some((each) => each.from === from)) return undefined;
    if (await records.append(stream, facts.length, { ...fact, from })) return undefined;
  }
}
