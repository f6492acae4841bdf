// The words in which gates describe their forms.
import type { ChoiceField, Field, FixedField, GroupField, ListField, ListItem, TextField, YesNoField } from "../form/description.ts";

export const thoughts = (): TextField => text("thoughts", "Optional message to the agent");

export const text = (key: string, help: string, { required = false } = {}): TextField => ({
  kind: "text",
  key,
  help: [help],
  ...(required ? { required } : {}),
});

export const yesNo = (key: string, help: string, initial: boolean | null): YesNoField => ({ kind: "yesno", key, help: [help], initial });

export const choice = (key: string, help: readonly string[], choices: readonly string[]): ChoiceField => ({
  kind: "choice",
  key,
  help,
  choices,
  initial: null,
});

const fixed = (key: string, shown: string): FixedField => ({ kind: "fixed", key, text: shown });

/** A group whose entries stand for subjects, which may come and go. */
export const group = (key: string, { help, entries }: { help: string; entries: readonly Field[] }): GroupField => ({
  kind: "group",
  key,
  computed: true,
  help: [help],
  fields: entries,
});

/** What is asked about one subject; `notes` are an agent's words, quoted above it. It comes and goes as a whole. */
export const entry = (key: string, { notes, fields }: { notes: string; fields: readonly Field[] }): GroupField => ({
  kind: "group",
  key,
  fields,
  ...(notes ? { notes } : {}),
});

const list = (key: string, help: string, items: readonly ListItem[]): ListField => ({ kind: "list", key, help: [help], items });

/** A list of questions, each with room for its answer. */
export const questions = (
  key: string,
  help: string,
  { asked, required = false }: { asked: readonly string[]; required?: boolean },
): ListField =>
  list(
    key,
    help,
    asked.map((question) => ({ fields: [fixed("question", question), text("answer", "Your answer", { required })] })),
  );
