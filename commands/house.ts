import type { House } from "../src/gate/house.ts";
import { fileRecords } from "../src/stores/records.ts";
import type { Project } from "../src/stores/project.ts";
import type { Context } from "./command.ts";
import { gateOf } from "./gates.ts";
import { openProject } from "./open-project.ts";

/** What the engine needs, from what a command has. */
export async function openHouse(context: Context, project?: Project): Promise<House> {
  const { environment, note } = context;
  const found = project ?? (await openProject(context));
  return { project: found, records: fileRecords(found, { agent: environment.ENVOY_AGENT_ID }), environment, note, gateOf };
}
