/** One mistake inside a file or an answer, where a person can find it. */
export interface Issue {
  file?: string;
  line?: number;
  column?: number;
  path?: string;
  message: string;
}

export const EXIT = {
  success: 0,
  bug: 1,
  usage: 2,
  state: 3,
  data: 4,
  outside: 5,
  notCleared: 10,
  pending: 75,
  deadline: 124,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface Definition<P> {
  exit: ExitCode;
  /** For the documentation: what has happened. */
  when: string;
  /** What and why. */
  message: (p: P) => string;
  /** The next command to type. */
  suggestion: (p: P) => string;
}

export const define = <P>(definition: Definition<P>): Definition<P> => definition;

/** For what was looked for in a folder that envoy has never worked in. */
export const noProjectIn = (folder: string): string => `There is no envoy project in ${folder}.`;
export const GO_TO_PROJECT =
  "Run the command in the project's folder, or name that folder: `envoy -C <project> inbox` lists what is open there.";
