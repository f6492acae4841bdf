/** A form, described once. It is plain data, so that a gate's record can keep it and a later run can judge by it. */
export interface FormDescription {
  key: string;
  /** The first lines of the form: what it is, who asks, until when. */
  title: readonly string[];
  /** Where an editor finds the JSON Schema, relative to the form. */
  schemaPath?: string;
  fields: readonly Field[];
}

interface Described {
  /** A name or a number; never an agent's free words. */
  key: string;
  /** envoy's own words above the field, one comment line each. */
  help?: readonly string[];
  /** An agent's words above the field: shown as a quotation, since it can contain anything. */
  notes?: string;
  /** Its subject no longer exists; it stays because a person has written here. */
  gone?: boolean;
}
export interface TextField extends Described {
  kind: "text";
  required?: boolean;
}
export interface YesNoField extends Described {
  kind: "yesno";
  initial: boolean | null;
  optional?: boolean;
}
export interface ChoiceField extends Described {
  kind: "choice";
  choices: readonly string[];
  initial: string | null;
  optional?: boolean;
}
export interface NumberField extends Described {
  kind: "number";
  initial: number | null;
  optional?: boolean;
}
/** Text that is shown as a value and must come back as it was, such as a question above its answer. */
export interface FixedField extends Described {
  kind: "fixed";
  text: string;
}
export interface GroupField extends Described {
  kind: "group";
  fields: readonly Field[];
  /** Its keys come from data (approaches, prompts), so editors' schemas must not fix them. */
  computed?: boolean;
}
export interface ListItem {
  fields: readonly Field[];
  notes?: string;
  gone?: boolean;
}
export interface ListField extends Described {
  kind: "list";
  items: readonly ListItem[];
}
export type ScalarField = YesNoField | ChoiceField | NumberField;
export type Field = TextField | ScalarField | FixedField | GroupField | ListField;

/** The type of one field's value, so far as the description is known at compile time. */
type ValueOf<F> = F extends { kind: "text" | "fixed" }
  ? string
  : F extends { kind: "yesno"; optional: true }
    ? boolean | null
    : F extends { kind: "yesno" }
      ? boolean
      : F extends { kind: "choice"; choices: readonly (infer C)[]; optional: true }
        ? C | null
        : F extends { kind: "choice"; choices: readonly (infer C)[] }
          ? C
          : F extends { kind: "number"; optional: true }
            ? number | null
            : F extends { kind: "number" }
              ? number
              : F extends { kind: "group"; fields: infer S extends readonly Field[] }
                ? ValuesOfFields<S>
                : F extends { kind: "list"; items: readonly (infer I extends ListItem)[] }
                  ? ValuesOfFields<I["fields"]>[]
                  : FormValue;
type ValuesOfFields<S extends readonly Field[]> = { [F in S[number] as F["key"]]: ValueOf<F> };
export type ValuesOf<D extends FormDescription> = ValuesOfFields<D["fields"]>;

export type FormValue = string | boolean | number | null | FormValues | FormValues[];
export interface FormValues {
  [key: string]: FormValue;
}

/** What the judge works from: the description and the text as envoy wrote it, both out of the gate's record. */
export interface WrittenForm<D extends FormDescription = FormDescription> {
  description: D;
  written: string;
}

/** Keeps the literal types of a description written by hand, so that its values are typed. */
export const describeForm = <const D extends FormDescription>(description: D): D => description;
