/** What a person's editor saved, as text. */
export interface Decoded {
  text: string;
  /** Not UTF-8 with usual line ends: the text is a good guess, to be confirmed. */
  foreign: boolean;
}

/** UTF-16 by its mark, old line ends where there are no others, and else Latin-1, as which all bytes can be read and none is lost. */
export function decode(bytes: Buffer): Decoded {
  const wide = utf16(bytes);
  const utf8 = bytes.toString("utf8");
  const broken = wide === undefined && utf8.includes("\ufffd") && !Buffer.from(utf8).equals(bytes);
  const text = wide ?? (broken ? bytes.toString("latin1") : utf8);
  const old = text.includes("\r") && !text.includes("\n");
  return { text: old ? text.replaceAll("\r", "\n") : text, foreign: wide !== undefined || broken || old };
}

function utf16(bytes: Buffer): string | undefined {
  const mark = bytes.length % 2 === 0 ? bytes.subarray(0, 2).toString("hex") : "";
  if (mark === "fffe") return bytes.subarray(2).toString("utf16le");
  return mark === "feff" ? Buffer.from(bytes.subarray(2)).swap16().toString("utf16le") : undefined;
}
