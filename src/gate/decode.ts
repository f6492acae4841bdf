/** What a person's editor saved, as text. */
export interface Decoded {
  text: string;
  /** Not UTF-8 with usual line ends: the text is a good guess, to be confirmed. */
  foreign: boolean;
}

/** UTF-16 by its mark, and old line ends where there are no others. Bytes that are no UTF-8 are read as Latin-1, and none is lost. */
export function decode(bytes: Buffer): Decoded {
  const wide = utf16(bytes);
  const utf8 = bytes.toString("utf8");
  const broken = wide === undefined && utf8.includes("\ufffd") && !Buffer.from(utf8).equals(bytes);
  const text = wide ?? (broken ? mixed(bytes) : utf8);
  const old = text.includes("\r") && !text.includes("\n");
  return { text: old ? text.replaceAll("\r", "\n") : text, foreign: wide !== undefined || broken || old };
}

function utf16(bytes: Buffer): string | undefined {
  const mark = bytes.length % 2 === 0 ? bytes.subarray(0, 2).toString("hex") : "";
  if (mark === "fffe") return bytes.subarray(2).toString("utf16le");
  return mark === "feff" ? Buffer.from(bytes.subarray(2)).swap16().toString("utf16le") : undefined;
}

const LETTERS = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;

/** One odd byte garbles no other letter. */
function mixed(bytes: Buffer): string {
  return bytes.toString("latin1").replace(LETTERS, (letter) => {
    const read = Buffer.from(letter, "latin1").toString("utf8");
    return read.includes("\ufffd") ? letter : read;
  });
}
