import { randomBytes } from "node:crypto";

import fc from "fast-check";
import { encode } from "gpt-tokenizer";
import vocabulary from "gpt-tokenizer/bpeRanks/o200k_base";
import { describe, expect, it } from "vitest";

import { exceedsTokens, mostBytesOf } from "../../src/system/tokens.ts";

const LIMIT = 10_000;
const MEGABYTE = 1024 * 1024;

/** The tokenizer's own count. */
const tokensOf = (text: string): number => encode(text, { disallowedSpecial: new Set() }).length;

const logLine = fc.oneof(
  fc
    .tuple(fc.date({ noInvalidDate: true }), fc.constantFrom("INFO", "warn", "ERROR"), fc.webUrl(), fc.nat())
    .map(([date, level, url, ms]) => `${date.toISOString()} [${level}] GET ${url} 200 ${ms}ms`),
  fc.tuple(fc.domain(), fc.nat(), fc.nat()).map(([file, line, column]) => `    at ${file}.run (/srv/${file}.js:${line}:${column})`),
  fc.json(),
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.lorem({ mode: "sentences" }).map((text) => `${text} It's done; they've left.\t\r\n\n`),
  fc.constantFrom("<|endoftext|>", "<|im_start|>user", "=".repeat(80), "\u{1f600}".repeat(20), "   ", "\ud800", "日本語のログ"),
);
const logText = fc.array(logLine, { maxLength: 30 }).map((lines) => lines.join("\n"));

describe("pasted logs", () => {
  it("are measured as the tokenizer does, to the token", async () => {
    await fc.assert(
      fc.asyncProperty(logText, async (text) => {
        const tokens = tokensOf(text);
        expect(await exceedsTokens(text, tokens)).toBe(false);
        if (tokens > 0) expect(await exceedsTokens(text, tokens - 1)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("are never refused unread within the bound that the vocabulary sets", () => {
    const lengths = vocabulary.map((token) => (typeof token === "string" ? Buffer.byteLength(token) : token.length));
    expect(mostBytesOf(1)).toBe(lengths.reduce((longest, length) => Math.max(longest, length)));
  });

  // Each of these takes minutes or fails where the tokenizer is simply called.
  it.each([
    ["one letter", "a".repeat(MEGABYTE)],
    ["one letter and a space now and then", `${"b".repeat(50_000)} `.repeat(20)],
    ["capital letters", "Q".repeat(MEGABYTE)],
    [
      "random small letters",
      randomBytes(MEGABYTE / 2)
        .toString("hex")
        .replaceAll(/\d/g, "k"),
    ],
    ["base64 without a line's end", randomBytes(MEGABYTE / 2).toString("base64")],
    ["one emoji", "\u{1f9e0}".repeat(MEGABYTE / 4)],
    ["lone surrogates", "\udc00".repeat(MEGABYTE / 4)],
    ["slashes and line ends", "/\n".repeat(MEGABYTE / 2)],
    ["special tokens", "<|endoftext|>".repeat(90_000)],
    ["a hundred megabytes of one letter", "a".repeat(100 * MEGABYTE)],
    ["a hundred megabytes of mixed lines", "2026-11-18T10:02:11Z [INFO] GET /a/b?c=1 200 12ms\n".repeat(2 * MEGABYTE)],
  ])("of %s are refused without a hang", async (_what, text) => {
    expect(await exceedsTokens(text, LIMIT)).toBe(true);
  });

  it("of one repeated letter are counted nearly as the tokenizer does", async () => {
    const text = "a".repeat(8000);
    const tokens = tokensOf(text);
    expect(await exceedsTokens(text, Math.floor(tokens * 0.97))).toBe(true);
    expect(await exceedsTokens(text, Math.ceil(tokens * 1.05))).toBe(false);
  });

  it("of nothing but spaces are within the limit as long as the tokenizer says so", async () => {
    expect(await exceedsTokens(" ".repeat(mostBytesOf(LIMIT) / 2), LIMIT)).toBe(false);
  });
});
