import { shownText } from "./agent-text.ts";
import type { KeyLine } from "./key-lines.ts";
import type { FormLayout } from "./layout.ts";
import { type Typed, foldedByMachine, sameWords, trimText } from "./typed-text.ts";
import type { YamlReading, YamlValue } from "./yaml-reader.ts";

/** Per key the text that both readers found; undefined as soon as they differ on one. */
export function agreedTexts(
  layout: FormLayout,
  typed: readonly (Typed | undefined)[],
  yaml: YamlReading,
): (string | undefined)[] | undefined {
  if (!yaml.ok || yaml.unknown.length) return undefined;
  const texts: (string | undefined)[] = [];
  for (const [k, key] of layout.keys.entries()) {
    const value = yaml.values[k];
    const own = typed[k];
    if (key.field !== "done" && key.field.kind === "fixed" && !isFixedText(value, key.field.text)) return undefined;
    if (!own) {
      texts.push(undefined);
      continue;
    }
    const text = value && agreed(own, value, key);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return texts;
}

export const isFixedText = (value: YamlValue | undefined, text: string): boolean =>
  value !== undefined && "text" in value && (sameWords(value.text, shownText(text)) || value.text === text);

/**
 * A folded block and lines broken by a program mean what YAML makes of them. Line breaks that a person typed are
 * theirs, so a text that YAML would fold there is read differently by the two.
 */
function agreed(typed: Typed, value: YamlValue, key: KeyLine): string | undefined {
  if (!("text" in value)) return undefined;
  if (key.field !== "done" && key.field.kind !== "text") return typed.text === value.text.trim() ? typed.text : undefined;
  const text = trimText(value.text);
  if (text === typed.text) return text;
  const folds = value.style === "folded" ? typed.block : typed.flow.length > 1 && foldedByMachine(typed.flow);
  return folds && sameWords(text, typed.text) ? text : undefined;
}
