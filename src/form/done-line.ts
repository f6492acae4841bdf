import { headOf } from "./align.ts";
import { type FormLayout, doneIndex } from "./layout.ts";
import { indentOf, trimmed } from "./source-lines.ts";
import { finishing } from "./spoken-words.ts";

/** What the form says about being finished, found without YAML so that no mistake elsewhere can hide it. */
export interface DoneWord {
  said: "not yet" | "finished" | "unclear" | "missing";
  /** The line that carries it. */
  line: number;
  /** As typed, without a comment behind it. */
  value: string;
}

const WITH_COLON = /^[\s#>*-]*["'“”]?done["'“”]?\s*[:=]+\s*(.*)$/i;
const MOST_ON_TOP = 20;
const WITHOUT_COLON = /^\s*done\b[\s=>-]*(.*)$/i;

export function findDone(layout: FormLayout, lines: readonly string[]): DoneWord {
  const help = layout.comments[doneIndex(layout)]!.at(-1) ?? "";
  const start = zoneStart(lines, help);
  const inZone = start < 0 ? undefined : lastDone(lines, start);
  const found = inZone ?? lastDone(lines, 0, (line) => indentOf(line) === 0 && !line.startsWith("#"));
  if (!found) return { said: "missing", line: -1, value: "" };
  if (found.said !== "not yet") return found;
  const elsewhere = (start >= 0 && saysYes(lines, { start, help, except: found.line })) || doneOnTop(layout, lines);
  return elsewhere ? { ...found, said: "unclear" } : found;
}

/** Above the first field nobody writes a text, so a `done: true` there is meant. */
function doneOnTop(layout: FormLayout, lines: readonly string[]): boolean {
  for (const line of lines.slice(0, layout.commentLines[0]!.length + MOST_ON_TOP)) {
    if (headOf(line)?.key === layout.keys[0]!.key) return false;
    if (!line.startsWith("#") && doneWord(line)?.said === "finished") return true;
  }
  return false;
}

/** Where the end of the form begins: at the help of `done`, wherever that still stands. */
function zoneStart(lines: readonly string[], help: string): number {
  if (!help) return -1;
  for (let i = lines.length - 1; i >= 0; i--) if (trimmed(lines[i]!).startsWith(help)) return i;
  return -1;
}

function lastDone(lines: readonly string[], from: number, where?: (line: string) => boolean): DoneWord | undefined {
  let fallback: DoneWord | undefined;
  for (let i = lines.length - 1; i >= from; i--) {
    const line = lines[i]!;
    if (where && !where(line)) continue;
    const word = doneWord(line, i);
    if (word && !/^\s*#/.test(line)) return word;
    if (word && !fallback && finishing(word.value) === "finished") fallback = word;
  }
  return fallback;
}

/** Reads a line as `done: …` in any spelling a person would use. */
export function doneWord(line: string, at = 0): DoneWord | undefined {
  const colon = WITH_COLON.exec(line);
  if (colon) return worded(colon[1]!, at);
  const bare = WITHOUT_COLON.exec(line);
  if (!bare) return undefined;
  const word = worded(bare[1]!, at);
  if (word.value === "") return { ...word, said: "unclear" };
  return word.said === "unclear" ? undefined : word;
}

function worded(rest: string, line: number): DoneWord {
  const comment = /(?:^|\s)#(.*)$/.exec(rest);
  const value = trimmed(comment ? rest.slice(0, comment.index) : rest);
  const said = finishing(value);
  return { said: said === "not yet" && comment && finishing(comment[1]!) === "finished" ? "unclear" : said, line, value };
}

/** `done: false` left standing, and "true" or another `done` written near it, is an attempt to finish as well. */
function saysYes(lines: readonly string[], { start, help, except }: { start: number; help: string; except: number }): boolean {
  return lines.slice(start).some((line, i) => {
    const text = trimmed(line);
    if (start + i === except) return false;
    const extra = trimmed(text.startsWith(help) ? text.slice(help.length) : text.replace(/^[#\s]+/, ""));
    return extra !== "" && (finishing(extra) === "finished" || doneWord(extra)?.said === "finished");
  });
}
