// oxlint-disable no-control-regex -- these are exactly the characters that must not get through
/** Characters that move the cursor, recolour, reorder or hide text on a terminal or in an editor. Joiners stay: emoji need them. */
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** Text from agents or files, safe to show to a person: controls appear as `\u{1b}`. Newlines and tabs stay. */
export const visibleText = (text: string): string => text.replace(INVISIBLE, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`);

/** The same on one line. */
export const visibleLine = (text: string): string => visibleText(text.replace(/\s*\n\s*/g, " ⏎ ").replace(/\t/g, " "));

/** JSON of the same meaning that cannot draw on a terminal. */
export const visibleJson = (json: string): string =>
  json.replace(INVISIBLE, (found) =>
    found
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
