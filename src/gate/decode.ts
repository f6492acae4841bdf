/** Editors with an old encoding give Latin-1, which every byte sequence can be read as, and none is lost. */
export function decode(bytes: Buffer): { text: string; foreign: boolean } {
  const text = bytes.toString("utf8");
  const foreign = text.includes("\ufffd") && !Buffer.from(text).equals(bytes);
  return foreign ? { text: bytes.toString("latin1"), foreign } : { text, foreign };
}
