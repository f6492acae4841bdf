// Every name that may reach the file system or git, and the rule it follows.

export const SPECIALIST_RULE = "lower-case letters, digits, `-` and `_`, beginning with a letter or digit (at most 64)";
export const isSpecialist = (name: string): boolean => /^[a-z0-9][a-z0-9_-]{0,63}$/.test(name);

export const VARIANT_RULE = "one capital letter (A to Z)";
export const isVariant = (name: string): boolean => /^[A-Z]$/.test(name);

export const SUBJECT_RULE = "a positive whole number, with an optional variant of one capital letter: `2`, `2 A`, `2_A` or `2A`";

/** Names an approach or a prompt. */
export interface SubjectId {
  number: number;
  variant: string | null;
}

/** Nine digits are enough for any plan and stay exact as a number. */
export function parseSubjectId(text: string): SubjectId | undefined {
  const match = /^([1-9][0-9]{0,8})(?:_?([A-Z]))?$/.exec(text);
  return match ? { number: Number(match[1]), variant: match[2] ?? null } : undefined;
}

export const formatSubjectId = ({ number, variant }: SubjectId): string => (variant ? `${number}_${variant}` : `${number}`);

/** As in file names and keys: `2A`. */
export const shortSubjectId = ({ number, variant }: SubjectId): string => `${number}${variant ?? ""}`;

/** As on the command line: `2 A`. */
export const spokenSubjectId = ({ number, variant }: SubjectId): string => (variant ? `${number} ${variant}` : `${number}`);

export const sameSubject = (a: SubjectId, b: SubjectId): boolean => a.number === b.number && a.variant === b.variant;

export const compareSubjects = (a: SubjectId, b: SubjectId): number =>
  a.number - b.number || (a.variant?.charCodeAt(0) ?? 0) - (b.variant?.charCodeAt(0) ?? 0);
