// What the engine works with: the project's records and forms, and the declarations of all gates.
import { isAbsolute, join, relative } from "node:path";
import { EnvoyError } from "../../schemas/errors.ts";
import type { FormPlace } from "../stores/form-files.ts";
import type { Plan } from "../stores/plans.ts";
import type { Project } from "../stores/project.ts";
import type { Records, Recorded, Stream } from "../stores/records.ts";
import { makeFolder } from "../system/atomic-file.ts";
import type { Environment } from "../system/environment.ts";
import { type HeldLock, withLock } from "../system/lock.ts";
import { isInside } from "../system/safe-path.ts";
import type { Gate } from "./gate.ts";
import { type GateFact, type GateState, type Opened, type PlanReference, foldGate } from "./history.ts";

export interface House {
  project: Project;
  records: Records;
  environment: Environment;
  /** One line for people. */
  note: (line: string) => void;
  /** The declaration of a kind of gate. */
  gateOf: (kind: string) => Promise<Gate>;
}

/** Questions are gates whose records lie apart, so that nothing else is read to tell who is halted. */
export const gateStream = (id: string): Stream<GateFact> => ({ kind: isQuestionId(id) ? "question" : "gate", id });
export const isQuestionId = (id: string): boolean => id.startsWith("q_");

export async function readGate(house: House, id: string): Promise<GateState | undefined> {
  return foldGate(id, await house.records.read(gateStream(id)));
}

export async function requireGate(house: House, id: string): Promise<GateState> {
  const state = await readGate(house, id);
  if (!state) throw new EnvoyError("gate_not_found", { id });
  return state;
}

/** Adds a fact; throws where the history has grown, which cannot be while the gate's lock is held. */
export async function record(house: House, state: GateState, fact: GateFact): Promise<GateState> {
  if (!(await house.records.append(gateStream(state.id), state.length, fact))) {
    const message = `the record of ${state.id} was changed by a process that does not hold its lock`;
    throw Object.assign(new Error(message), { name: LOCK_LOST });
  }
  return requireGate(house, state.id);
}

/** Somebody took the lock away, say by removing its file while this process was stopped. Told by name: bundles have classes of their own. */
const LOCK_LOST = "LockLost";

/** Answers may need seconds to apply (git), and every other waiter stands in line meanwhile. */
const PATIENCE_MS = 60_000;

/** One process at a time judges, changes and finishes a gate. Whoever lost the lock amid its work looks again. */
export async function lockGate<T>(house: House, id: string, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await lockNamed(house, { name: id, patienceMs: PATIENCE_MS }, work);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== LOCK_LOST) throw error;
    }
  }
}

export async function lockNamed<T>(
  { project }: House,
  { name, patienceMs }: { name: string; patienceMs: number },
  work: (lock: HeldLock) => Promise<T>,
): Promise<T> {
  const folder = join(project.directory, "state", "locks");
  await makeFolder(project.root, folder);
  return withLock(join(folder, `${name}.lock`), work, { patienceMs });
}

export function placeOf(house: House, id: string, opened: Pick<Recorded<Opened>, "key" | "plan" | "logs">): FormPlace {
  const { project } = house;
  const home = opened.plan ? planOf(house, opened.plan).directory : project.directory;
  // A plan elsewhere may lie on another disk, where nothing can be renamed to envoy's own folder.
  const inside = isInside(project.directory, home);
  const root = inside ? project.root : join(home, "..");
  return {
    root,
    folder: join(home, "user_feedback"),
    key: opened.key,
    gateId: id,
    asideRoot: root,
    asideFolder: inside ? join(project.directory, "state", "aside") : join(home, "aside"),
    logs: opened.logs ?? false,
  };
}

/** A gate belongs to the plan it was opened in, whatever is checked out now. */
export function planOf({ project }: House, { directory, name, branch }: PlanReference): Plan {
  const path = isAbsolute(directory) ? directory : join(project.directory, directory);
  return { name, directory: path, ...(branch === undefined ? {} : { branch }) };
}

export function referTo({ project }: House, plan: Plan): PlanReference {
  const directory = isInside(project.directory, plan.directory) ? relative(project.directory, plan.directory) : plan.directory;
  return { directory, name: plan.name, ...(plan.branch === undefined ? {} : { branch: plan.branch }) };
}
