import type { FormValues } from "./description.ts";
import type { Mark } from "./marks.ts";

/** What a saved form means. Only `accepted` is an answer. */
export type FormOutcome<V = FormValues> =
  /** The person is not finished. */
  | { kind: "waiting" }
  /** It may be half-saved, or rewritten by a script: look again, with `settled`, once it has been unchanged for 2 s. */
  | { kind: "unsettled" }
  | { kind: "accepted"; values: V }
  /** Read in the only possible way and set properly; to be confirmed by `done: true`. */
  | { kind: "mended"; text: string; marks: Mark[] }
  | { kind: "refused"; text: string; marks: Mark[] };

/** A rule of a gate that the values break, told at its field. */
export interface RuleBreach {
  path: readonly (string | number)[];
  message: string;
}

export interface ReadOptions<V> {
  /** The file has been unchanged for about 2 s, so that it is not in the middle of being saved. */
  settled?: boolean;
  /** What was handed back so far, newest last: the marks in it are envoy's, and its bytes unchanged mean that nobody has answered. */
  handedBack?: string | readonly string[];
  /** Rules beyond the fields' own. */
  check?: (values: V) => readonly RuleBreach[];
}
