// What git would say of the usual repository, read from its files: starting git costs more than all else of a read.
// Anything that is not exactly as expected gives undefined, and git is asked; so this never says "outside git".
import { type Stats, lstatSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Repository } from "./git.ts";
import { errorCode } from "./safe-path.ts";

/** Variables of git that play no part in finding a repository; git is asked where any other is set. */
const HARMLESS =
  /^GIT_(?:CONFIG_(?:NOSYSTEM|GLOBAL|SYSTEM)|(?:AUTHOR|COMMITTER|SSH|SSL|HTTP|PROXY|CURL|TRACE|LFS)\w*|\w*EDITOR|PAGER|ASKPASS|TERMINAL_PROMPT|OPTIONAL_LOCKS)$/;

/** `dropped`: variables that git would not be given either. */
export function readRepositoryFiles(cwd: string, dropped: readonly string[]): Repository | undefined {
  const named = Object.keys(process.env).filter((name) => name.startsWith("GIT_") && !dropped.includes(name));
  if (process.geteuid === undefined || !named.every((name) => HARMLESS.test(name))) return undefined;
  try {
    const worktree = worktreeAbove(realpathSync.native(cwd));
    return worktree === undefined ? undefined : readWorktree(worktree);
  } catch (error) {
    // A file that is missing or cannot be read is for git to judge.
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

/** git looks no further up than the disk it began on, and takes a folder that holds HEAD for a repository itself. */
function worktreeAbove(start: string): string | undefined {
  const disk = lstatSync(start).dev;
  for (let at = start; ; at = dirname(at)) {
    if (lstatSync(at).dev !== disk || look(join(at, "HEAD"))) return undefined;
    if (look(join(at, ".git"))) return at;
    if (dirname(at) === at) return undefined;
  }
}

function readWorktree(worktree: string): Repository | undefined {
  const marker = join(worktree, ".git");
  const gitDir = look(marker)?.isDirectory() ? marker : pointedTo(marker, /^gitdir: ([^\n]+)\n$/);
  if (gitDir === undefined) return undefined;
  const isLinked = look(join(gitDir, "commondir")) !== undefined;
  const commonDir = isLinked ? pointedTo(join(gitDir, "commondir"), /^([^\n]+)\n$/) : gitDir;
  if (commonDir === undefined || ![worktree, marker, gitDir, commonDir].every(isOwn)) return undefined;
  if (!["objects", "refs"].every((name) => look(join(commonDir, name))?.isDirectory())) return undefined;

  const head = branchOf(join(gitDir, "HEAD"));
  const bare = isBare(readFileSync(join(commonDir, "config"), "utf8"));
  if (head === undefined || bare === undefined) return undefined;
  if (!isLinked) return bare ? undefined : { commonDir, mainRoot: worktree, bare, ...head };
  return bare || basename(commonDir) === ".git" ? { commonDir, mainRoot: dirname(commonDir), bare, ...head } : undefined;
}

function look(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** git refuses what belongs to another user unless it is told otherwise: its decision. */
const isOwn = (path: string): boolean => look(path)?.uid === process.geteuid?.();

function pointedTo(file: string, pattern: RegExp): string | undefined {
  if (!look(file)?.isFile()) return undefined;
  const target = pattern.exec(readFileSync(file, "utf8"))?.[1];
  return target === undefined ? undefined : realpathSync.native(resolve(dirname(file), target));
}

/** Names beyond this are left to git, which knows all rules for them. */
const PLAIN_PART = /^(?!\.)(?!.*\.\.)[\w.-]+(?<!\.)(?<!\.lock)$/;

function branchOf(head: string): { branch?: string } | undefined {
  if (!look(head)?.isFile()) return undefined;
  const text = readFileSync(head, "utf8");
  if (/^[0-9a-f]{40}\n$/.test(text)) return {};
  const branch = /^ref: refs\/heads\/([^\n]+)\n$/.exec(text)?.[1];
  return branch?.split("/").every((part) => PLAIN_PART.test(part)) ? { branch } : undefined;
}

/** A configuration of plain lines, without what could move the worktree, include other files, or ask for a newer git. */
function isBare(config: string): boolean | undefined {
  let section = "";
  const core = new Map<string, string>();
  for (const line of config.split("\n").map((each) => each.trim())) {
    const header = /^\[([a-z]+)( "[^"\\]*")?\]$/i.exec(line);
    const pair = /^([a-z][a-z0-9-]*)\s*=\s*([^"\\#;]*)$/i.exec(line);
    if (!header && !pair && !/^(?:$|[#;])/.test(line)) return undefined;
    if (/^(?:extensions|include|includeif)$/i.test(header?.[1] ?? "")) return undefined;
    if (header) section = header[2] === undefined ? header[1]!.toLowerCase() : "";
    if (pair && section === "core") core.set(pair[1]!.toLowerCase(), pair[2]!);
  }
  if (core.get("repositoryformatversion") !== "0" || core.has("worktree")) return undefined;
  const bare = core.get("bare");
  return bare === "true" ? true : bare === "false" ? false : undefined;
}
