import type { ZodType } from "zod";
import type { FormDescription } from "./description.ts";

/** What a form takes, told once for editors and people: the schema of its answers, and an example of the form. */
export interface FormContract {
  key: string;
  /** The fields, without `done`. */
  answers: ZodType;
  example: FormDescription;
}
