// The two halves of renaming a branch to archive/<b>, safe to repeat: make the new one, delete the old one. In between
// both are there, which loses nothing; `git branch -m` has neither for a moment.
import { existsSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EnvoyError } from "../../schemas/errors.ts";
import { failpoint } from "./failpoint.ts";
import { readRef, refOf } from "./git-branch.ts";
import { CAREFULLY } from "./git-rescue.ts";
import { mustGit, runGit } from "./git.ts";
import { ioFailed } from "./safe-path.ts";

interface ArchivePlan {
  branch: string;
  archive: string;
  /** Named in the archive's reflog: so it is told from a branch that took the name meanwhile, even at the same commit. */
  gateId: string;
}

/** The first name below archive/ that no branch has and none is in the way of. */
export async function chooseArchiveName(commonDir: string, branch: string): Promise<string | undefined> {
  const taken = await listBranches(commonDir);
  const isFree = (name: string): boolean =>
    !taken.some((other) => other === name || other.startsWith(`${name}/`) || name.startsWith(`${other}/`));
  for (const stem of [`archive/${branch}`, `archive/${branch.replaceAll("/", "-")}`])
    for (let number = 1; number <= taken.length + 1; number++) {
      const name = number === 1 ? stem : `${stem}-${number}`;
      if (isFree(name)) return name;
    }
  return undefined;
}

async function listBranches(commonDir: string, below = ""): Promise<string[]> {
  const args = ["for-each-ref", "--format=%(refname:lstrip=2)", refOf(below)];
  return (await mustGit("list branches", commonDir, { args })).split("\n").filter((name) => name !== "");
}

/** Makes the archive at the tip, or brings the one that this discard made before up to it. Gives its name. */
export async function makeArchive(commonDir: string, plan: ArchivePlan, tip: string): Promise<string> {
  const mark = `envoy: ${plan.gateId} archives ${plan.branch}`;
  const made = await findMarked(commonDir, plan.archive, mark);
  // Once the branch is gone nothing newer can come.
  if (made && (await readRef(commonDir, plan.branch)) === undefined) return made;
  const archive = made ?? ((await readRef(commonDir, plan.archive)) ? await chooseArchiveName(commonDir, plan.branch) : plan.archive);
  if (!archive) throw new EnvoyError("git_failed", { action: "archive a branch", reason: `${plan.archive} is taken.` });
  const from = made ? await tipOf(commonDir, made) : "0".repeat(tip.length);
  if (from === tip) return archive;
  failpoint("discard.archive");
  if (!made) await copyReflog(commonDir, plan.branch, archive);
  await change(commonDir, "archive a branch", ["update-ref", "--create-reflog", "-m", mark, refOf(archive), tip, from]);
  return archive;
}

/** The archive that an earlier run of this discard made; under another name if the planned one was taken meanwhile. */
async function findMarked(commonDir: string, planned: string, mark: string): Promise<string | undefined> {
  if ((await readRef(commonDir, planned)) === undefined) return undefined;
  for (const name of [planned, ...(await listBranches(commonDir, "archive/"))])
    if ((await lastReason(commonDir, name)) === mark) return name;
  return undefined;
}

/** Takes an archive back whose worktree could not be put away. */
export async function dropArchive(commonDir: string, archive: string): Promise<void> {
  await change(commonDir, "delete a branch", ["update-ref", "-d", refOf(archive), await tipOf(commonDir, archive)]);
}

async function lastReason(commonDir: string, branch: string): Promise<string> {
  return (await runGit(commonDir, ["log", "-g", "-1", "--no-show-signature", "--format=%gs", refOf(branch), "--"])).stdout.trim();
}

/** As a rename would keep it. Where refs are stored in another way there is no such file, and the archive starts anew. */
async function copyReflog(commonDir: string, from: string, to: string): Promise<void> {
  const [source, target] = [from, to].map((branch) => join(commonDir, "logs", refOf(branch))) as [string, string];
  if (!existsSync(source)) return;
  try {
    await mkdir(dirname(target), { recursive: true });
    await copyFile(source, target);
  } catch (error) {
    throw ioFailed(error, target, "write");
  }
}

/** What was committed meanwhile goes to the archive first; the old value is checked, so nothing slips in between. */
export async function deleteBranch(commonDir: string, branch: string, archive: string): Promise<void> {
  for (let tip = await readRef(commonDir, branch); tip !== undefined; tip = await readRef(commonDir, branch)) {
    const archived = await tipOf(commonDir, archive);
    const mark = await lastReason(commonDir, archive);
    if (archived !== tip) await change(commonDir, "archive a branch", ["update-ref", "-m", mark, refOf(archive), tip, archived]);
    failpoint("discard.delete");
    const { code, stderr } = await runGit(commonDir, [...CAREFULLY, "update-ref", "-d", refOf(branch), tip]);
    if (code !== 0 && (await readRef(commonDir, branch)) === tip)
      throw new EnvoyError("git_failed", { action: `delete ${branch}`, reason: stderr.trim() });
  }
  const section = await runGit(commonDir, ["config", "--local", "--get-regexp", `^branch\\.${branch.replaceAll(/[^\w/]/g, "\\$&")}\\.`]);
  failpoint("discard.config");
  if (section.code === 0)
    await change(commonDir, "rename a branch's settings", [
      "config",
      "--local",
      "--rename-section",
      `branch.${branch}`,
      `branch.${archive}`,
    ]);
}

export async function tipOf(commonDir: string, branch: string): Promise<string> {
  return (await mustGit("read a branch", commonDir, { args: ["rev-parse", "--verify", refOf(branch)] })).trim();
}

function change(commonDir: string, action: string, args: string[]): Promise<string> {
  return mustGit(action, commonDir, { args: [...CAREFULLY, ...args] });
}
