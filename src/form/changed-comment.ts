/** Fewer letters than these say nothing about whose line it was. */
const LEAST_SHARED = 8;
const LEAST_LEFT = 12;
const MOST_OF_IT = 0.6;

/** A line of envoy's in which somebody has typed. */
export interface ChangedComment {
  /** The line as envoy wrote it. */
  written: string;
  /** The person's words in it, whole. Empty if the line was only cut. */
  added: string;
}

/** Something was taken out of the line, and nothing put in. */
export const isCut = (written: string, text: string): boolean =>
  text.length >= LEAST_LEFT && text.length < written.length && sharedStart(written, text) + sharedEnd(written, text, 0) >= text.length;

/** How much of the line still stands, from its beginning and from its end. */
interface Shared {
  written: string;
  start: number;
  end: number;
}

/** Finds the line of which the most still stands, at the beginning and at the end. */
export function changedComment(known: readonly string[], text: string, least = MOST_OF_IT): ChangedComment | undefined {
  let best: Shared | undefined;
  for (const written of known) {
    const start = sharedStart(written, text);
    const end = sharedEnd(written, text, start);
    const shared = start + end;
    if (shared < LEAST_SHARED || (shared < written.length * least && !isCut(written, text))) continue;
    if (!best || shared > best.start + best.end) best = { written, start, end };
  }
  return best && { written: best.written, added: addedWords(text, best) };
}

function sharedStart(a: string, b: string): number {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n++;
  return n;
}

function sharedEnd(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let n = 0;
  while (n < most && a[a.length - 1 - n] === b[b.length - 1 - n]) n++;
  return n;
}

const isWord = (character: string | undefined): boolean => character !== undefined && /\S/.test(character);

/** A word of which only a part is new is quoted whole. */
function addedWords(text: string, { written, start, end }: Shared): string {
  let from = start;
  let to = text.length - end;
  if (from >= to) return "";
  if (isWord(text[from]) || isWord(written[from])) while (isWord(text[from - 1])) from--;
  if (isWord(text[to - 1]) || isWord(written[written.length - end - 1])) while (isWord(text[to])) to++;
  return text.slice(from, to).trim();
}
