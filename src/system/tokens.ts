// gpt-tokenizer (o200k_base), for one question: is this text longer than so many tokens? The vocabulary takes a third of
// a second and 60 MB to load, so it is loaded only if neither bound answers.

/** Of the vocabulary: 128 spaces. A test compares it with the vocabulary that is installed. */
const LONGEST_TOKEN_BYTES = 128;

// The tokenizer takes time with the square of a piece's length (300 KB of one letter: over a minute). Words, numbers and
// rulers of ordinary logs are shorter than this and are counted exactly; a longer piece is counted in parts, which gives
// up to about one token more for each part than the uncut piece has.
const LONGEST_PIECE = 256;
const PARTS = new RegExp(`[^]{1,${LONGEST_PIECE}}`, "gu");

/** The most bytes that so many tokens can hold: a file of more need not even be read. */
export function mostBytesOf(tokens: number): number {
  return tokens * LONGEST_TOKEN_BYTES;
}

/** Special tokens such as `<|endoftext|>` are text like any other. */
export async function exceedsTokens(text: string, limit: number): Promise<boolean> {
  // Each unit of a string is at least one byte, and asking for the length costs nothing.
  if (text.length > mostBytesOf(limit)) return true;
  const bytes = Buffer.byteLength(text);
  if (bytes <= limit) return false;
  return bytes > mostBytesOf(limit) || (await countUpTo(text, limit)) > limit;
}

/** Stops counting soon after `limit`. */
async function countUpTo(text: string, limit: number): Promise<number> {
  const { countTokens } = await import("gpt-tokenizer");
  const { O200K_TOKEN_SPLIT_REGEX } = await import("gpt-tokenizer/encodingParams/constants");
  let count = 0;
  // The tokenizer's own pieces: each becomes tokens by itself, and none holds a whole special token.
  for (const [piece] of text.matchAll(O200K_TOKEN_SPLIT_REGEX)) {
    const parts = piece.length <= LONGEST_PIECE ? [piece] : piece.matchAll(PARTS);
    for (const part of parts) {
      count += countTokens(String(part));
      if (count > limit) return count;
    }
  }
  return count;
}
