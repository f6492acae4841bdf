import type { FormValues, WrittenForm } from "./description.ts";
import type { DoneWord } from "./done-line.ts";
import type { FormWords } from "./form-words.ts";
import type { FormLayout } from "./layout.ts";
import type { KnownMarks } from "./marks.ts";
import type { RuleBreach } from "./outcome.ts";
import type { SourceLines } from "./source-lines.ts";

/** All that the steps of reading share. */
export interface Saved {
  form: WrittenForm;
  layout: FormLayout;
  words: FormWords;
  source: SourceLines;
  knownMarks: KnownMarks;
  done: DoneWord;
  settled: boolean;
  maxBytes: number;
  check: (values: FormValues) => readonly RuleBreach[];
}
