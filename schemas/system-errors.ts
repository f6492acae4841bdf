// Damaged data, and failures outside envoy.
import { EXIT, type Issue, define } from "./error-definition.ts";

export const SYSTEM_ERRORS = {
  invalid_file: define<{ file: string; issues: Issue[] }>({
    exit: EXIT.data,
    when: "a file of the plan is damaged; it is named with line and column and left as it is",
    message: (p) => `${p.file} cannot be read: ${located(p.issues)}`,
    suggestion: () => "Correct the file at the lines named in `issues` and run the command again; envoy left it as it is.",
  }),
  invalid_input: define<{ source: string; issues: Issue[] }>({
    exit: EXIT.data,
    when: "JSON or YAML given by a flag, a file or stdin does not have the needed shape, or a field of the form does not take what `--set` gives",
    message: (p) => `${p.source} is not valid: ${located(p.issues)}`,
    suggestion: () => "Correct what `issues` names and run the command again; nothing was written.",
  }),
  unsafe_path: define<{ path: string; kind: string }>({
    exit: EXIT.data,
    when: "a link, a device or a folder stands where envoy keeps a file",
    message: (p) => `${p.path} is ${p.kind}; envoy reads and writes only plain files and folders of its own.`,
    suggestion: () => "Remove it or put a plain file in its place, then run the command again.",
  }),
  dubious_ownership: define<{ directory: string }>({
    exit: EXIT.outside,
    when: "git refuses a repository that belongs to another user",
    message: (p) => `git refuses the repository at ${p.directory} because it belongs to another user.`,
    suggestion: (p) => `If you trust it: \`git config --global --add safe.directory ${p.directory}\`.`,
  }),
  git_failed: define<{ action: string; reason: string; suggestion?: string }>({
    exit: EXIT.outside,
    when: "git could not be run or failed",
    message: (p) => `git failed to ${p.action}: ${p.reason}`,
    suggestion: (p) => p.suggestion ?? "Run `git status` there, mend what it names, and run the command again.",
  }),
  io_failed: define<{ path: string; code: string; action: string }>({
    exit: EXIT.outside,
    when: "the disk is full, read-only, or refuses access",
    message: (p) => `Could not ${p.action} ${p.path}: ${p.code}${IO_WORDS[p.code] ? ` (${IO_WORDS[p.code]})` : ""}.`,
    suggestion: () => "Mend that and run the command again; nothing that was there is lost.",
  }),
  lock_held: define<{ file: string; holder: string }>({
    exit: EXIT.outside,
    when: "another process or machine holds a lock for too long",
    message: (p) => `${p.file} is held by ${p.holder}.`,
    suggestion: (p) => `Run the command again. If that process is surely gone, remove ${p.file}.`,
  }),
  internal: define<{ reason: string; version: string }>({
    exit: EXIT.bug,
    when: "a bug in envoy",
    message: (p) => `A bug in envoy ${p.version}: ${p.reason}`,
    suggestion: () => "Run the command again; if it stays, report it with the trace on stderr.",
  }),
};

const IO_WORDS: Record<string, string> = {
  ENOSPC: "no space left on the disk",
  EACCES: "permission denied",
  EPERM: "not permitted",
  EROFS: "the file system is read-only",
  EIO: "the disk reported an error",
  EDQUOT: "the quota is used up",
  EMFILE: "too many open files",
};

export function located(issues: Issue[]): string {
  const [first] = issues;
  if (!first) return "unknown reason";
  const where = first.line ? `line ${first.line}, column ${first.column ?? 1}: ` : "";
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : "";
  return `${where}${first.path ? `${first.path}: ` : ""}${first.message}${more}`;
}
