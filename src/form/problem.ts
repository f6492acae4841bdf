import { safeLine } from "./agent-text.ts";
import { type ChangedComment, changedComment } from "./changed-comment.ts";

/** Something a person has to look at: on a line of the saved text (from 0), told above a key of the layout. */
export interface Problem {
  line: number;
  column: number;
  key: number;
  message: string;
}

const SHOWN = 160;
/** What was typed behind `done` goes into its mark; more than this stays behind it as a comment. */
export const LONGEST_REMARK = 300;
const LOOKED_AT = 1000;
/** The words in question on one line. What matters often comes last, so a long quotation is cut in its middle. */
export function quote(text: string): string {
  const own = text.trim();
  const line = [...safeLine(own.length > LOOKED_AT ? own.slice(0, LOOKED_AT / 2) + own.slice(-LOOKED_AT / 2) : own)];
  const short = line.length > SHOWN ? [...line.slice(0, SHOWN / 2), "…", ...line.slice(-SHOWN / 2)] : line;
  return `"${short.join("")}"`;
}

export const SAYS = {
  homeless: (text: string) => `${quote(text)} belongs to no field. Move it below a field that takes text, or delete it.`,
  inComment: (text: string) =>
    `${quote(text)} stands in a comment, where nobody reads it. Move it${text.startsWith("#") ? ", without its #," : ""} to the field it answers, or delete it.`,
  changedLine: ({ written, added }: ChangedComment) =>
    added
      ? `${quote(added)} was written into envoy's line ${quote(written)}, where nobody reads it. If it is an answer, move it to its field; put that line back as it was, or delete it.`
      : `envoy's line ${quote(written)} was changed, and nobody reads what is left of it. Put it back as it was, or delete it.`,
  likeMark: (words: string) =>
    `${quote(words || "✗")} stands in a line that begins as envoy's marks do, where nobody reads it. Move it, without # and ✗, to the field it answers, or delete the line.`,
  formLineElsewhere: (text: string) =>
    `${quote(text)} is a line of the form and does not belong here. Delete it; if it is your own text, put a word before it.`,
  twice: (text: string) => `${quote(text)} stands in the form a second time. Delete the one that is not meant.`,
  missing: (key: string) => `The line "${safeLine(key)}" was missing. It is back now: look whether its text is right.`,
  missingStill: (key: string) => `The line "${safeLine(key)}" is missing or has moved. Put it back where it was.`,
  misspelt: (text: string, key: string) => `${quote(text)} is not a line of this form. Did you mean "${safeLine(key)}:"?`,
  changedFixed: (text: string) => `This line must stay as it was: ${JSON.stringify(safeLine(text))}. Put it back; your own words go below.`,
  commentBehind: (text: string) => `${quote(text)} stands behind the value, where nobody reads it. Move it below a field that takes text.`,
  doneUnclear: (value: string) =>
    `${value.length > LONGEST_REMARK ? quote(value) : `"${safeLine(value)}"`} says neither true nor false. When finished, write "done: true" and save.`,
  doneTwice: 'It is not clear whether you are finished. Write "done: true" on this line alone and save.',
  readLikeThis: "Your text was read like this. If it is right, set done: true again at the end.",
  confirm: "envoy put your text in its place (see the marks above). If all of it is right, set done: true again and save.",
  confirmEnd: "The last line of the form was gone and is back. If nothing is missing, set done: true again and save.",
  answerMissing: "This field was missing. It is back now: fill it in if need be, then set done: true again.",
  answerNeeded: "This needs an answer. Write it on the line below the field.",
  yesOrNo: (value: string) => (value ? `${quote(value)} is neither yes nor no. Write true or false.` : "Write true or false here."),
  choice: (value: string, choices: readonly string[]) =>
    `${value ? `${quote(value)} is not among the choices. ` : ""}Write one of: ${choices.map(safeLine).join(", ")}.`,
  number: (value: string) => (value ? `${quote(value)} is not a number. Write digits only.` : "Write a number here."),
  textExpected: "This field takes a text. Write it on the line below the field.",
  unknownKey: (key: string, nearest: string | undefined) =>
    `${quote(key)} is not a field of this form.${nearest ? ` Did you mean "${nearest}"?` : " Delete it or move its text."}`,
  more: (count: number) => `and ${count} more like this.`,
  moved: (text: string) => `${quote(text)} is not where it was in the form. Put it back in its place.`,
  unreadable:
    "This form cannot be read with certainty. Put each text on the lines below its field, indented by two more spaces than the field.",
  tooLarge: (bytes: number) =>
    `The form is larger than ${bytes} bytes, which envoy does not read. Shorten the texts, or name a file instead.`,
} as const;

/** What is said about a line without a place: if it is one of the comments expected there, changed, that is named. */
export function saysOfStray(expected: readonly string[], text: string, otherwise: (text: string) => string): string {
  const changed = text.startsWith("#") ? changedComment(expected, text) : undefined;
  return changed ? SAYS.changedLine(changed) : otherwise(text);
}
