import { safeLine } from "./agent-text.ts";

/** Something a person has to look at: on a line of the saved text (from 0), told above a key of the layout. */
export interface Problem {
  line: number;
  column: number;
  key: number;
  message: string;
}

const SHOWN = 60;
/** What was typed behind `done` goes into its mark; more than this stays behind it as a comment. */
export const LONGEST_REMARK = 300;
const LOOKED_AT = 1000;
/** The words in question, short enough for one line. */
export function quote(text: string): string {
  const line = safeLine(text.trimStart().slice(0, LOOKED_AT));
  return `"${line.length > SHOWN ? `${[...line].slice(0, SHOWN).join("")}…` : line}"`;
}

export const SAYS = {
  homeless: (text: string) => `${quote(text)} belongs to no field. Move it below a field that takes text, or delete it.`,
  inComment: (text: string) => `${quote(text)} stands in a comment, where nobody reads it. Move it to the line below the field it answers.`,
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
