import { shownText } from "./agent-text.ts";
import type { KeyLine } from "./key-lines.ts";
import type { FormLayout } from "./layout.ts";
import { type Typed, foldedByMachine, sameWords, trimText } from "./typed-text.ts";
import type { YamlReading, YamlValue } from "./yaml-reader.ts";

export interface Comparison {
  /** The two readers found the same in every field. */
  agree: boolean;
  /** Per key the text both found; where they differ, the text as typed. */
  texts: (string | undefined)[];
}

export function compareReadings(layout: FormLayout, typed: readonly (Typed | undefined)[], yaml: YamlReading): Comparison {
  const result: Comparison = { agree: yaml.ok && yaml.unknown.length === 0, texts: [] };
  for (const [k, key] of layout.keys.entries()) {
    const value = yaml.values[k];
    const own = typed[k];
    if (key.field !== "done" && key.field.kind === "fixed") result.agree &&= isFixedText(value, key.field.text);
    const text = own && value && agreed(own, value, key);
    if (own && text === undefined) result.agree = false;
    result.texts.push(text ?? own?.text);
  }
  return result;
}

export const isFixedText = (value: YamlValue | undefined, text: string): boolean =>
  value !== undefined && "text" in value && (sameWords(value.text, shownText(text)) || value.text === text);

/**
 * A folded block and lines broken by a program mean what YAML makes of them. Line breaks that a person typed are
 * theirs, so a text that YAML would fold there is read differently by the two.
 */
function agreed(typed: Typed, value: YamlValue, key: KeyLine): string | undefined {
  if (!("text" in value)) return undefined;
  if (key.field !== "done" && key.field.kind !== "text")
    return typed.text === value.text.trim() || typed.untouched ? value.text.trim() : undefined;
  const text = trimText(value.text);
  if (text === typed.text) return text;
  const folds = value.style === "folded" ? typed.block : typed.flow !== undefined && typed.flow.length > 1 && foldedByMachine(typed.flow);
  return folds && sameWords(text, typed.text) ? text : undefined;
}
