// Prompts: one piece of work each, Markdown with YAML front matter.
import { join } from "node:path";
import { EnvoyError } from "../../schemas/errors.ts";
import { type SubjectId, compareSubjects, formatSubjectId, parseSubjectId, sameSubject, shortSubjectId } from "../../schemas/names.ts";
import { type PromptFrontMatter, PromptFrontMatter as PromptSchema, isReadyVariant } from "../../schemas/plan.ts";
import { removeFile, writeFileAtomic } from "../system/atomic-file.ts";
import { listFolder } from "../system/safe-path.ts";
import { type FrontMatterText, editFrontMatter, newFrontMatter, readFrontMatter } from "./front-matter.ts";
import { lockPlan } from "./plan-lock.ts";
import type { Plan } from "./plans.ts";
import type { Watch } from "./records.ts";
import { readTextFile } from "./text-file.ts";

export interface Prompt extends FrontMatterText<PromptFrontMatter> {
  id: SubjectId;
}
export type PromptChanges = Partial<PromptFrontMatter>;

const folder = (plan: Pick<Plan, "directory">) => join(plan.directory, "prompts");

/** `2A.md`, and `2_A.md` as the original envoy named it: found, and kept under that name. */
async function promptFiles(plan: Pick<Plan, "directory">): Promise<{ id: SubjectId; file: string }[]> {
  const names = (await listFolder(plan.directory, folder(plan))).map(({ name }) => name).filter((name) => name.endsWith(".md"));
  const found = names.map((name) => {
    const id = parseSubjectId(name.slice(0, -3));
    if (id) return { id, file: join(folder(plan), name) };
    throw unusable(join(folder(plan), name), "a prompt's file is named by its number and variant, such as `2.md` or `2A.md`");
  });
  found.sort((a, b) => compareSubjects(a.id, b.id));
  found.forEach(({ id, file }, i) => {
    const before = found[i - 1];
    if (before && sameSubject(before.id, id)) throw unusable(file, `prompt ${formatSubjectId(id)} has a second file, ${before.file}`);
  });
  return found;
}

const unusable = (file: string, message: string) => new EnvoyError("invalid_file", { file, issues: [{ file, message }] });

export async function readAllPrompts(plan: Pick<Plan, "directory">): Promise<Prompt[]> {
  const prompts = await Promise.all((await promptFiles(plan)).map(({ id, file }) => readPromptFile(plan, id, file)));
  return prompts.filter((prompt) => prompt !== undefined);
}

async function readPrompt(plan: Plan, id: SubjectId): Promise<Prompt | undefined> {
  const entry = (await promptFiles(plan)).find((candidate) => sameSubject(candidate.id, id));
  return entry && readPromptFile(plan, id, entry.file);
}

export async function requirePrompt(plan: Plan, id: SubjectId): Promise<Prompt> {
  const prompt = await readPrompt(plan, id);
  if (prompt) return prompt;
  const known = (await promptFiles(plan)).map((entry) => formatSubjectId(entry.id));
  throw new EnvoyError("prompt_not_found", { prompt_id: formatSubjectId(id), known });
}

/** The branches that a plan's prompts were started on. */
export async function promptBranches(directory: string): Promise<string[]> {
  const prompts = await readAllPrompts({ directory });
  return prompts.flatMap(({ front }) => front.worktree_branch_name ?? []);
}

async function readPromptFile(plan: Pick<Plan, "directory">, id: SubjectId, file: string): Promise<Prompt | undefined> {
  const text = await readTextFile(plan.directory, file);
  if (text === undefined) return undefined;
  const prompt = readFrontMatter(file, text, PromptSchema);
  const named = { number: prompt.front.number, variant: prompt.front.variant ?? null };
  if (!sameSubject(named, id)) {
    const message = `number and variant say ${formatSubjectId(named)}, but the file's name says ${formatSubjectId(id)}`;
    throw new EnvoyError("invalid_file", { file, issues: [{ file, line: 2, column: 1, path: "number", message }] });
  }
  return { ...prompt, id };
}

/** Hears of every change of the plan's prompts. */
export async function watchPrompts(plan: Plan, look: () => void, note: (line: string) => void): Promise<Watch> {
  const { watchPaths } = await import("../system/watch.ts");
  return watchPaths([`${folder(plan)}/`], look, { note });
}

/** Changes one prompt under the plan's lock; `change` sees it as it is then. Every byte outside the set keys stays. */
export async function editPrompt(
  plan: Plan,
  id: SubjectId,
  change: (prompt: Prompt) => PromptChanges | Promise<PromptChanges>,
): Promise<Prompt> {
  return lockPlan(plan, async (lock) => {
    const prompt = await requirePrompt(plan, id);
    const text = editFrontMatter(prompt, untested(prompt, undecided(prompt, await change(prompt))));
    await lock.assertHeld();
    await writeFileAtomic(prompt.file, text);
    return { ...readFrontMatter(prompt.file, text, PromptSchema), id };
  });
}

/** Creates a prompt, or rewrites one: what is not given stays, and so do its status, branch and solution. */
export async function writePrompt(
  plan: Plan,
  id: SubjectId,
  content: { keys: PromptChanges; body?: string },
): Promise<{ prompt: Prompt; created: boolean }> {
  return lockPlan(plan, async (lock) => {
    const files = await promptFiles(plan);
    refuseMixture(
      id,
      files.map((entry) => entry.id),
    );
    const existing = await readPrompt(plan, id);
    const file = existing?.file ?? join(folder(plan), `${shortSubjectId(id)}.md`);
    const text = existing
      ? editFrontMatter(existing, undecided(existing, content.keys), content.body)
      : newFrontMatter({ ...newPrompt(id), ...defined(content.keys) }, content.body ?? "");
    await lock.assertHeld();
    await writeFileAtomic(file, text);
    return { prompt: { ...readFrontMatter(file, text, PromptSchema), id }, created: !existing };
  });
}

/** A variant that is worked on again, or was while it was decided about, has to be decided about again. */
function undecided({ front }: Prompt, changes: PromptChanges): PromptChanges {
  const reworked = front.variant_solution && isReadyVariant(front) !== isReadyVariant({ ...front, ...defined(changes) });
  return reworked ? { ...changes, variant_solution: null } : changes;
}

/** What a person passed counts no longer for what has another status since. */
function untested({ front }: Prompt, changes: PromptChanges): PromptChanges {
  const reset = front.tested_by && changes.status !== undefined && changes.tested_by === undefined;
  return reset && changes.status !== "merged" ? { ...changes, tested_by: null } : changes;
}

export async function clearPrompt(plan: Plan, id: SubjectId, check: (prompt: Prompt) => void): Promise<Prompt> {
  return lockPlan(plan, async (lock) => {
    const prompt = await requirePrompt(plan, id);
    check(prompt);
    await lock.assertHeld();
    await removeFile(prompt.file);
    return prompt;
  });
}

const newPrompt = ({ number, variant }: SubjectId): PromptFrontMatter => ({
  number,
  variant,
  description: "",
  kind: "feature",
  relevant_files: [],
  success_criteria: "",
  depends_on: [],
  requires_manual_testing: false,
  in_progress: false,
  status: "unimplemented",
  worktree_branch_name: null,
  variant_solution: null,
});

const defined = (keys: PromptChanges) => Object.fromEntries(Object.entries(keys).filter(([, value]) => value !== undefined));

function refuseMixture(id: SubjectId, existing: SubjectId[]): void {
  const same = existing.filter(({ number }) => number === id.number);
  const about = { what: "Prompt", number: id.number };
  if (id.variant && same.some(({ variant }) => variant === null)) {
    throw new EnvoyError("standalone_exists", { ...about, clear: `envoy plan clear-prompt ${id.number}` });
  }
  const variants = same.flatMap(({ variant }) => variant ?? []);
  if (!id.variant && variants.length) {
    throw new EnvoyError("variants_exist", { ...about, variants, clear: `envoy plan clear-prompt ${id.number} ${variants[0]}` });
  }
}
