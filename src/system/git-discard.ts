// Puts a rejected variant's branch and worktree away; see docs/decisions/0010-discard.md. Every step is safe to repeat,
// and in this order each commit has a ref, and each file a place, at every moment between two of them:
//
//   commit what is uncommitted · make archive/<b> · move the folder to the trash · unregister it · delete <b>
//
// `git branch -m` deletes before it creates, and a half-killed `git worktree remove` cannot be finished, so neither is
// used. All paths are absolute: the caller may stand in the folder that goes.
import { existsSync, type Stats, statSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { EnvoyError } from "../../schemas/errors.ts";
import { writeFileAtomic } from "./atomic-file.ts";
import { syncFolder } from "./sync-folder.ts";
import { isoNow } from "./clock.ts";
import { failpoint } from "./failpoint.ts";
import { chooseArchiveName, deleteBranch, dropArchive, makeArchive, tipOf } from "./git-archive.ts";
import { inspectBranch } from "./git-branch.ts";
import { rescueWork } from "./git-rescue.ts";
import { runGit } from "./git.ts";
import { errorCode } from "./safe-path.ts";

/** What the caller records before it discards, so that a killed discard can be finished. */
export interface DiscardPlan {
  branch: string;
  /** Undefined: the branch was gone already. */
  commit?: string;
  worktree?: string;
  /** The branch's name afterwards; undefined if no name can be had. */
  archive?: string;
  /** Where the worktree's folder goes. */
  trash: string;
  gateId: string;
  /** When it was planned. A repeated commit with the same time is the same commit. */
  at: string;
}

export interface Discarded {
  branch: string;
  archived?: string;
  commit?: string;
  trash?: string;
  /** The command that brings branch and worktree back. */
  restore?: string;
  /** What was left in place, or missing, and why; one sentence each. */
  problems: string[];
}

interface Place {
  trashFolder: string;
  gateId: string;
}

/** Changes nothing. `commonDir` is the repository's git folder, the same for all its worktrees. */
export async function planDiscard(commonDir: string, branch: string, { trashFolder, gateId }: Place): Promise<DiscardPlan> {
  const { commit, worktree } = await inspectBranch(commonDir, branch);
  const archive = await chooseArchiveName(commonDir, branch);
  const trash = join(resolve(trashFolder), `${branch.replaceAll("/", "-")}-${gateId}`);
  const found = { ...(commit ? { commit } : {}), ...(worktree ? { worktree } : {}), ...(archive ? { archive } : {}) };
  return { branch, ...found, trash, gateId, at: isoNow() };
}

/** Discards what was planned, or finishes it. What cannot be discarded is left in place and reported. */
export async function discardBranch(commonDir: string, plan: DiscardPlan): Promise<Discarded> {
  const kept = (...problems: string[]): Discarded => ({
    branch: plan.branch,
    ...(plan.commit ? { commit: plan.commit } : {}),
    problems: problems.map((problem) => `${problem} The branch ${plan.branch} and its worktree are left as they are.`),
  });
  const state = await inspectBranch(commonDir, plan.branch);
  if (state.obstacles.length > 0) return kept(state.obstacles.join(" "));
  if (!plan.commit) return { branch: plan.branch, problems: [`There is no branch ${plan.branch}.`] };
  if (!plan.archive) return kept(`No name below archive/ is free for ${plan.branch}.`);
  try {
    // It may have been moved since it was planned; a folder that is gone stays registered until then.
    const registered = state.worktree ?? plan.worktree;
    const worktree = state.worktree && existsSync(state.worktree) ? state.worktree : undefined;
    if (worktree) {
      await mkdir(dirname(plan.trash), { recursive: true, mode: 0o700 });
      if (isElsewhere(worktree, plan.trash)) return kept(`The worktree ${worktree} is on another disk than ${dirname(plan.trash)}.`);
      if (existsSync(plan.trash)) return kept(`${plan.trash} is there already.`);
    }
    failpoint("discard.rescue");
    const rescued =
      worktree && state.commit ? await rescueWork(worktree, { ...plan, tip: state.commit }) : { tip: state.commit ?? plan.commit };
    if ("obstacle" in rescued) return kept(rescued.obstacle);
    const archived = await makeArchive(commonDir, { ...plan, archive: plan.archive }, rescued.tip);
    const stuck = worktree ? await moveToTrash(worktree, plan) : undefined;
    if (worktree && stuck) {
      await dropArchive(commonDir, archived);
      // The work is committed now; without this its index would look as if it were to be undone.
      await runGit(worktree, ["read-tree", "HEAD"]);
      return kept(stuck);
    }
    if (registered && existsSync(plan.trash)) await unregister(commonDir, registered);
    // It names git's notes, which are gone: with it, git and so envoy would fail for whoever still stands in that folder.
    await rm(join(plan.trash, ".git"), { force: true });
    await deleteBranch(commonDir, plan.branch, archived);
    return done(commonDir, plan, { archived, commit: await tipOf(commonDir, archived) });
  } catch (error) {
    // Nothing is lost at any step, and a person can mend what git names; the decision itself must not hang on it.
    if (!(error instanceof EnvoyError) || error.type !== "git_failed") throw error;
    const trash = existsSync(plan.trash) ? { trash: plan.trash } : {};
    return { branch: plan.branch, commit: plan.commit, ...trash, problems: [error.message] };
  }
}

function done(commonDir: string, plan: DiscardPlan, { archived, commit }: { archived: string; commit: string }): Discarded {
  const trashed = existsSync(plan.trash);
  const git = `git -C ${quote(basename(commonDir) === ".git" ? dirname(commonDir) : commonDir)}`;
  const steps = [`${git} branch -m ${quote(archived)} ${quote(plan.branch)}`];
  if (plan.worktree && trashed) {
    steps.push(`${git} worktree add ${quote(plan.worktree)} ${quote(plan.branch)}`);
    // What is ignored is in the trash only.
    steps.push(`cp -Rpn ${quote(plan.trash)}/. ${quote(plan.worktree)}`);
  }
  const missing = plan.worktree ? `The worktree ${plan.worktree} is gone.` : `${plan.branch} has no worktree.`;
  const result = { branch: plan.branch, archived, commit, restore: steps.join(" && "), problems: trashed ? [] : [missing] };
  return trashed ? { ...result, trash: plan.trash } : result;
}

const quote = (word: string): string => (/^[\w./@%+=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** Gives the reason if the folder cannot be moved. The note beside it says since when it is there, and of what it was. */
async function moveToTrash(worktree: string, { trash, branch, commit, gateId, at }: DiscardPlan): Promise<string | undefined> {
  const note = { discarded: at, branch, commit, worktree, gate_id: gateId };
  await writeFileAtomic(`${trash}.json`, `${JSON.stringify(note, undefined, 2)}\n`, { ifAbsent: true });
  try {
    failpoint("discard.move");
    await rename(worktree, trash);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    await rm(`${trash}.json`, { force: true });
    return `The worktree ${worktree} cannot be moved to ${trash} (${code}).`;
  }
  failpoint("discard.sync");
  await syncFolder(dirname(trash));
  await syncFolder(dirname(worktree));
  return undefined;
}

/** Removes git's notes about exactly this worktree. The file that names it goes last, so that it is found again. */
async function unregister(commonDir: string, worktree: string): Promise<void> {
  const all = join(commonDir, "worktrees");
  for (const id of existsSync(all) ? await readdir(all) : []) {
    const folder = join(all, id);
    if (!existsSync(join(folder, "gitdir"))) continue;
    const named = resolve(folder, (await readFile(join(folder, "gitdir"), "utf8")).trim());
    if (named !== join(worktree, ".git")) continue;
    failpoint("discard.unregister");
    for (const name of await readdir(folder)) if (name !== "gitdir") await rm(join(folder, name), { recursive: true, force: true });
    failpoint("discard.forget");
    await rm(folder, { recursive: true, force: true });
  }
}

function isElsewhere(worktree: string, trash: string): boolean {
  const disk = (path: string): Stats["dev"] => statSync(path).dev;
  return disk(worktree) !== disk(dirname(trash));
}
