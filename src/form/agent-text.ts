import { visibleText } from "../system/visible-text.ts";

/** Editors obey some comments (vim and emacs modelines, schema lines); a space before the colon makes them mere text. */
const OBEYED = /(\b(?:vim?|ex)(?:[<=>]?\d+)?|yaml-language-server|Local Variables|\$schema)(?=[:=])/gi;
const disarm = (line: string): string => line.replace(OBEYED, "$1 ").replace(/-\*-/g, "- * -");

/** A stray half of a surrogate pair would not survive being written to a file. */
const wholeCharacters = (text: string): string => text.replace(/\p{Surrogate}/gu, "\ufffd");

/** One line of text that neither draws on a terminal nor steers an editor. */
export const safeLine = (text: string): string =>
  disarm(
    visibleText(
      wholeCharacters(text)
        .split(/[\r\n]+/)
        .map((line) => line.trim())
        .join(" ")
        .replace(/\t/g, " "),
    ),
  ).trim();

/** envoy's own comment lines. They may carry names given by agents, so they cannot look like a mark or an end line. */
export function helpLines(lines: readonly string[]): string[] {
  return lines
    .flatMap((line) => line.split(/\r?\n/))
    .map(safeLine)
    .filter((line) => line !== "")
    .map((line) => (/^(✗|end of form|>)/i.test(line) ? `# "${line}"` : `# ${line}`));
}

/** An agent's words, quoted line by line: nothing in them can be taken for a line of the form. */
export function quotedLines(text: string): string[] {
  const lines = visibleText(wholeCharacters(text).replace(/\r\n?/g, "\n").replace(/\t/g, "  "))
    .replace(/^\s*\n|\s+$/g, "")
    .split("\n");
  if (lines.length === 1 && lines[0] === "") return [];
  return lines.map((line) => `# > ${disarm(line)}`.trimEnd());
}

/** What a fixed text looks like in the form, and therefore what must come back. */
export const shownText = (text: string): string => disarm(visibleText(wholeCharacters(text).replace(/\r\n?/g, "\n")));

/** A double-quoted scalar on one line; JSON's escapes are YAML's too. */
export const quotedScalar = (text: string): string => JSON.stringify(shownText(text));
