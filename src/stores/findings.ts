// Findings: what one specialist found, with its approaches, one YAML file each.
import { join } from "node:path";
import { EnvoyError, type Issue } from "../../schemas/errors.ts";
import { SPECIALIST_RULE, type SubjectId, formatSubjectId, isSpecialist, sameSubject } from "../../schemas/names.ts";
import { type Approach, type Findings, Findings as FindingsSchema } from "../../schemas/plan.ts";
import { writeFileAtomic } from "../system/atomic-file.ts";
import { listFolder } from "../system/safe-path.ts";
import { type YamlEdit, editYaml, printYaml } from "../system/yaml/edit.ts";
import { approachId } from "./approach-edits.ts";
import { readCheckedYaml } from "./checked-yaml.ts";
import type { Plan } from "./plans.ts";
import { lockPlan } from "./plan-lock.ts";
import { readTextFile } from "./text-file.ts";

export interface FindingsFile {
  file: string;
  text: string;
  findings: Findings;
}

const folder = (plan: Plan) => join(plan.directory, "findings");

export async function listSpecialists(plan: Plan): Promise<string[]> {
  const names = (await listFolder(plan.directory, folder(plan))).map(({ name }) => name).filter((name) => /\.ya?ml$/i.test(name));
  for (const name of names) {
    if (name.endsWith(".yaml") && isSpecialist(name.slice(0, -5))) continue;
    const file = join(folder(plan), name);
    const message = `the file's name must be a specialist's with \`.yaml\`: ${SPECIALIST_RULE}`;
    throw new EnvoyError("invalid_file", { file, issues: [{ file, message }] });
  }
  return names.map((name) => name.slice(0, -5)).toSorted();
}

async function readFindings(plan: Plan, specialist: string): Promise<FindingsFile | undefined> {
  const file = join(folder(plan), `${specialist}.yaml`);
  const text = await readTextFile(plan.directory, file);
  if (text === undefined) return undefined;
  const { value, yaml } = readCheckedYaml(text, FindingsSchema, { file });
  const issues = contradictions(value, specialist).map(({ path, message }): Issue => {
    const node = yaml.document.getIn(path, true) as { range?: [number, number, number] } | undefined;
    return { file, ...yaml.at(node?.range?.[0] ?? 0), path: path.join("."), message };
  });
  if (issues.length) throw new EnvoyError("invalid_file", { file, issues });
  return { file, text, findings: value };
}

export async function requireFindings(plan: Plan, specialist: string): Promise<FindingsFile> {
  const found = await readFindings(plan, specialist);
  if (!found) throw new EnvoyError("finding_not_found", { specialist, known: await listSpecialists(plan) });
  return found;
}

export async function readAllFindings(plan: Plan): Promise<FindingsFile[]> {
  const all = await Promise.all((await listSpecialists(plan)).map((specialist) => readFindings(plan, specialist)));
  return all.filter((found) => found !== undefined);
}

const findApproach = ({ findings }: FindingsFile, id: SubjectId): Approach | undefined =>
  findings.approaches?.find((approach) => sameSubject(approachId(approach), id));

export function requireApproach(found: FindingsFile, id: SubjectId): Approach {
  const approach = findApproach(found, id);
  if (approach) return approach;
  const known = (found.findings.approaches ?? []).map((a) => formatSubjectId(approachId(a)));
  throw new EnvoyError("approach_not_found", { specialist: found.findings.specialist_name, approach_id: formatSubjectId(id), known });
}

/**
 * Reads, lets `change` say what is to be edited, writes. Under the plan's lock, so that parallel writers keep each
 * other's work; comments, unknown keys and order in the file stay.
 */
export async function editFindings<T>(
  plan: Plan,
  specialist: string,
  change: (found: FindingsFile) => { edits: YamlEdit[]; result: T },
): Promise<T> {
  return lockPlan(plan, async (lock) => {
    const found = (await readFindings(plan, specialist)) ?? newFindings(plan, specialist);
    const { edits, result } = change(found);
    const text = editYaml(found.text, edits);
    await lock.assertHeld();
    await writeFileAtomic(found.file, text);
    return result;
  });
}

function newFindings(plan: Plan, specialist: string): FindingsFile {
  const findings = { specialist_name: specialist, notes: "", approaches: [] };
  return { file: join(folder(plan), `${specialist}.yaml`), text: printYaml(findings), findings };
}

/** The same rules for approaches that are about to be written. */
export function refuseContradictions(specialist: string, approaches: Approach[]): void {
  const issues = contradictions({ specialist_name: specialist, approaches }, specialist);
  if (issues.length)
    throw new EnvoyError("invalid_input", {
      source: "the list of approaches",
      issues: issues.map(({ path, message }) => ({ path: path.join("."), message })),
    });
}

function contradictions(findings: Findings, specialist: string): { path: (string | number)[]; message: string }[] {
  const found: { path: (string | number)[]; message: string }[] = [];
  if (findings.specialist_name !== specialist)
    found.push({ path: ["specialist_name"], message: `must be \`${specialist}\`, as the file's name says` });
  const seen = new Set<string>();
  const kinds = new Map<number, boolean>();
  for (const [i, approach] of (findings.approaches ?? []).entries()) {
    const id = formatSubjectId(approachId(approach));
    const hasVariant = approachId(approach).variant !== null;
    if (seen.has(id)) found.push({ path: ["approaches", i, "number"], message: `approach ${id} stands here a second time` });
    else if ((kinds.get(approach.number) ?? hasVariant) !== hasVariant) {
      found.push({ path: ["approaches", i, "number"], message: `approach ${approach.number} stands here with and without variants` });
    }
    seen.add(id);
    kinds.set(approach.number, hasVariant);
  }
  return found;
}
