// What a command printed, kept whole on disk, cut for people and agents.
import { type FileHandle, open } from "node:fs/promises";
import { redact } from "./secrets.ts";
import { visibleText } from "./visible-text.ts";

export interface Excerpt {
  text: string;
  /** Of the whole output. */
  bytes: number;
  cut: boolean;
}

/** Read beyond what is shown, so that a secret at the edge is seen whole before it is masked. */
const MARGIN = 16 * 1024;

/**
 * The beginning and, larger, the end: tools put their summary last. Secrets are masked, colours dropped, other
 * controls made visible. A long output is cut between lines, and the gap says where the whole of it lies.
 */
export async function excerptOf(file: string, { maxBytes = 8000, env = process.env } = {}): Promise<Excerpt> {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    const clean = (text: string) => plainOutput(redact(text, env));
    if (size <= maxBytes) return { text: clean(await readAt(handle, 0, size)), bytes: size, cut: false };
    const headBytes = Math.floor(maxBytes / 4);
    const tailBytes = maxBytes - headBytes;
    const head = clean(await readAt(handle, 0, Math.min(size, headBytes + MARGIN))).slice(0, headBytes);
    const tail = clean(await readAt(handle, Math.max(0, size - tailBytes - MARGIN), size)).slice(-tailBytes);
    const gap = `[… ${size - maxBytes} of ${size} bytes left out; the whole output: ${file} …]`;
    return { text: `${wholeLines(head, "end")}\n${gap}\n${wholeLines(tail, "start")}`, bytes: size, cut: true };
  } finally {
    await handle.close();
  }
}

/** The last words, on whole lines, unmasked. */
export async function readTail(file: string, maxBytes: number): Promise<string> {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    return plainOutput(await readAt(handle, Math.max(0, size - maxBytes), size)).trim();
  } finally {
    await handle.close();
  }
}

/** The whole of it, or undefined where it is longer. */
export async function readOutput(file: string, maxBytes: number): Promise<string | undefined> {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    return size > maxBytes ? undefined : await readAt(handle, 0, size);
  } finally {
    await handle.close();
  }
}

async function readAt(handle: FileHandle, from: number, to: number): Promise<string> {
  const buffer = Buffer.alloc(to - from);
  let read = 0;
  while (read < buffer.length) {
    const { bytesRead } = await handle.read(buffer, read, buffer.length - read, from + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return buffer.subarray(0, read).toString("utf8");
}

/** One line longer than the excerpt stays as it is: half of it says more than nothing. */
function wholeLines(text: string, cutAt: "start" | "end"): string {
  const newline = cutAt === "end" ? text.lastIndexOf("\n") : text.indexOf("\n");
  if (newline < 0 || newline === text.length - 1) return text.replace(/\n$/, "");
  return cutAt === "end" ? text.slice(0, newline) : text.slice(newline + 1);
}

// oxlint-disable-next-line no-control-regex -- colours and cursor moves are exactly these
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

/** As it would stand on a terminal: of a line drawn over itself, the last drawing. */
function plainOutput(text: string): string {
  const lines = text.replace(ESCAPES, "").replaceAll("\r\n", "\n").split("\n");
  return visibleText(lines.map((line) => line.replace(/\r+$/, "").replace(/^.*\r/, "")).join("\n"));
}
