import type { Gate } from "../gate/gate.ts";
import type { House } from "../gate/house.ts";
import { findProject } from "../stores/project.ts";
import { fileRecords } from "../stores/records.ts";
import { readEnvironment } from "../system/environment.ts";

export interface Place {
  /** A directory of the project; default: the current one. */
  cwd?: string;
  /** Lines that the command would print on stderr. */
  note?: (line: string) => void;
}

export async function openHouse({ cwd = process.cwd(), note = () => undefined }: Place = {}): Promise<House> {
  const environment = readEnvironment(process.env);
  const project = await findProject({ cwd, envoyDir: environment.ENVOY_DIR });
  const gateOf = async (kind: string): Promise<Gate> => {
    if (kind !== "question") throw new Error(`only questions are judged here, not ${kind}`);
    return (await import("./question-gate.ts")).gate as unknown as Gate;
  };
  return { project, records: fileRecords(project, { agent: environment.ENVOY_AGENT_ID }), environment, note, gateOf };
}
