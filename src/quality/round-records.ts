// A task's rounds on disk: one history each, which the run of its gates and the answers of people both add to.
import { EnvoyError } from "../../schemas/errors.ts";
import { RoundFact } from "../../schemas/rounds.ts";
import type { House } from "../gate/house.ts";
import type { Change } from "../stores/changes.ts";
import type { Stream } from "../stores/records.ts";
import { failpoint } from "../system/failpoint.ts";

/** The store stamps every fact with a time and a user of its own, so the round's fact lies inside. */
interface RoundRecord {
  type: "round";
  fact: RoundFact;
}

const roundStream = (taskId: string): Stream<RoundRecord> => ({ kind: "round", id: taskId });

export async function readRounds({ records, project }: Pick<House, "records" | "project">, taskId: string): Promise<RoundFact[]> {
  return (await records.read(roundStream(taskId))).map(({ fact }, i) => {
    const read = RoundFact.safeParse(fact);
    if (read.success) return read.data;
    const file = `${project.directory}/state/rounds/${taskId}/${String(i + 1).padStart(5, "0")}.json`;
    throw new EnvoyError("invalid_file", { file, issues: [{ file, line: 1, column: 1, message: read.error.issues[0]!.message }] });
  });
}

export async function addRounds({ records }: Pick<House, "records">, taskId: string, facts: readonly RoundFact[]): Promise<void> {
  for (const fact of facts) {
    failpoint(`round.${fact.type}`);
    let added = false;
    while (!added) {
      const { length } = await records.read(roundStream(taskId));
      added = await records.append(roundStream(taskId), length, { type: "round", fact });
    }
  }
}

/** As the consequence of a person's answer. */
export const roundChange = (taskId: string, fact: RoundFact): Change => ({
  change: "record",
  stream: { kind: "round", id: taskId },
  fact: { type: "round", fact },
});

export const tasksWithRounds = ({ records }: Pick<House, "records">): Promise<string[]> => records.list("round");
