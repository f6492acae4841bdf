import { EnvoyError, type Issue } from "../../schemas/errors.ts";
import { readFileSafe } from "../system/atomic-file.ts";

const MAX_BYTES = 256 * 1024 * 1024;

/** A text of the plan, or undefined where there is none. What is not plain UTF-8 with LF lines is refused, never guessed. */
export async function readTextFile(root: string, file: string): Promise<string | undefined> {
  const bytes = await readFileSafe(root, file, { maxBytes: MAX_BYTES });
  if (!bytes) return undefined;
  const issue = byteIssue(bytes);
  if (issue) throw new EnvoyError("invalid_file", { file, issues: [{ file, ...issue }] });
  return bytes.toString("utf8");
}

function byteIssue(bytes: Buffer): Issue | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return { line: 1, column: 1, message: "the file begins with a byte order mark (BOM); save it as UTF-8 without BOM" };
  }
  const cr = bytes.indexOf("\r\n");
  if (cr >= 0) return { ...bytePosition(bytes, cr), message: "lines end with CRLF; save the file with LF line endings" };
  const nul = bytes.indexOf(0);
  if (nul >= 0) return { ...bytePosition(bytes, nul), message: "the file holds a NUL byte; it is not a text" };
  const text = bytes.toString("utf8");
  if (text.includes("\ufffd") && !Buffer.from(text).equals(bytes)) {
    return { ...bytePosition(bytes, firstDifference(bytes, Buffer.from(text))), message: "the file is not valid UTF-8" };
  }
  return undefined;
}

function bytePosition(bytes: Buffer, offset: number): { line: number; column: number } {
  const before = bytes.subarray(0, offset).toString("utf8").split("\n");
  return { line: before.length, column: before[before.length - 1]!.length + 1 };
}

function firstDifference(a: Buffer, b: Buffer): number {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return i;
}
