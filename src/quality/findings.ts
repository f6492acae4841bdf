// Findings of several reviewers made one list: only about files that exist, each once, the gravest first.
import { type Finding, PRIORITIES, type SaidFinding } from "../../schemas/quality.ts";

/** Whether a path from the root of the repository names a file there, or one that the change removed. */
export type FileExists = (path: string) => boolean;

export const failsGate = (findings: readonly Finding[]): boolean => findings.some(({ priority }) => priority === "P0" || priority === "P1");

/**
 * A finding about a file that does not exist shows that the reviewer looked at something else, so nothing it said
 * counts: neither its findings nor their absence.
 */
export function placeFindings(
  said: readonly SaidFinding[],
  exists: FileExists,
): { ok: true; findings: Finding[] } | { ok: false; reason: string } {
  const placed = said.map((finding) => ({ finding, file: finding.location ? realPath(finding.location.file, exists) : undefined }));
  const missing = placed.filter(({ finding, file }) => finding.location && file === undefined).map(({ finding }) => finding.location!.file);
  if (missing.length) return { ok: false, reason: `it names files that do not exist: ${[...new Set(missing)].slice(0, 5).join(", ")}` };
  return { ok: true, findings: placed.map(({ finding, file }) => plain(finding, file)) };
}

/** Reviewers write paths as they stand in a diff's header (`b/src/x.ts`) or with a `./` before them. */
function realPath(file: string, exists: FileExists): string | undefined {
  const path = file.replace(/^(\.\/)+/, "");
  return [path, path.replace(/^[ab]\//, "")].find((each) => exists(each));
}

function plain({ priority, location, issue, suggestion }: SaidFinding, file: string | undefined): Finding {
  const { line, column } = location ?? {};
  return {
    priority,
    ...(file === undefined ? {} : { location: { file, ...(line == null ? {} : { line }), ...(column == null ? {} : { column }) } }),
    issue,
    ...(suggestion?.trim() ? { suggestion: suggestion.trim() } : {}),
  };
}

/**
 * The same words about the same line are one finding, as grave as its gravest. Sorted before they are folded, so that
 * the order in which reviewers finish changes nothing.
 */
export function mergeFindings(...lists: readonly (readonly Finding[])[]): Finding[] {
  const merged = new Map<string, Finding>();
  for (const finding of lists.flat().toSorted(byGravity)) {
    const key = JSON.stringify([finding.location?.file, finding.location?.line, sameWords(finding.issue)]);
    const graver = merged.get(key);
    if (!graver) merged.set(key, finding);
    else if (!graver.suggestion && finding.suggestion) merged.set(key, { ...graver, suggestion: finding.suggestion });
  }
  return [...merged.values()].toSorted(byGravity);
}

const sameWords = (text: string) =>
  text
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.join(" ") ?? text;

/** Equal only where all is equal. */
function byGravity(a: Finding, b: Finding): number {
  return (
    PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority) ||
    compare(a.location?.file ?? "", b.location?.file ?? "") ||
    (a.location?.line ?? 0) - (b.location?.line ?? 0) ||
    (a.location?.column ?? 0) - (b.location?.column ?? 0) ||
    compare(a.issue, b.issue) ||
    compare(a.suggestion ?? "\uffff", b.suggestion ?? "\uffff")
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
