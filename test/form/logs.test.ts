import fc from "fast-check";
import { expect, test } from "vitest";
import { logsTemplate, logsWithoutPlaceholder } from "../../src/form/index.ts";

const template = logsTemplate({ gateId: "g_7k2m9xq4twe", what: "the output of the tests" });
const comment = template.trimEnd();

test("the file beside the form holds one comment that says what to paste", () => {
  expect(template).toBe("<!-- envoy logs g_7k2m9xq4twe: paste the output of the tests here; this comment is never part of the logs -->\n");
  const sly = logsTemplate({ gateId: "g_1", what: "a --> b\n\u001b[31m" });
  expect(sly.split("\n")).toHaveLength(2);
  expect(logsWithoutPlaceholder(sly)).toBe("");
});

test("the comment alone means that there are no logs", () => {
  for (const text of [
    template,
    comment,
    `\n\n${template}\n  \n`,
    template.replace("\n", "\r\n\r\n"),
    `\ufeff${template}`,
    "",
    "\ufeff",
    "  \r\n",
  ]) {
    expect(logsWithoutPlaceholder(text)).toBe("");
    expect(logsWithoutPlaceholder(Buffer.from(text))).toEqual(Buffer.alloc(0));
  }
});

const logs = fc
  .array(fc.oneof(fc.constantFrom("\n", "\r\n", "<!-- a -->", "  ", "<", "\t✗ ", "<!-- envoy logs "), fc.string({ unit: "grapheme" })), {
    minLength: 1,
  })
  .map((parts) => parts.join(""))
  .filter((text) => text.trim() !== "" && !text.startsWith("\ufeff"));

test("whatever is pasted before, behind, below or into the comment comes back byte for byte", () => {
  fc.assert(
    fc.property(logs, fc.nat(comment.length), (pasted, cut) => {
      expect(logsWithoutPlaceholder(pasted)).toBe(pasted);
      expect(logsWithoutPlaceholder(template + pasted)).toBe(pasted);
      expect(logsWithoutPlaceholder(`\ufeff${comment}\r\n${pasted}`)).toBe(pasted);
      expect(logsWithoutPlaceholder(`${pasted}\n${template}`)).toBe(`${pasted}\n`);
      expect(logsWithoutPlaceholder(pasted + comment)).toBe(pasted);
      expect(logsWithoutPlaceholder(`a${comment}${pasted}`)).toBe(`a${pasted}`);
      expect(logsWithoutPlaceholder(Buffer.from(template + pasted))).toEqual(Buffer.from(pasted));
      const inside = logsWithoutPlaceholder(comment.slice(0, cut) + "«" + pasted + "»" + template.slice(cut), template);
      expect(inside.trimEnd()).toBe(`«${pasted}»`);
    }),
  );
});

test("bytes that are no text survive, and the comment may stand in the middle", () => {
  const bytes = Buffer.from([0xff, 0x00, 0xc3, 0x28, 10]);
  expect(logsWithoutPlaceholder(Buffer.concat([bytes, Buffer.from(template), bytes, Buffer.from(template)]))).toEqual(
    Buffer.concat([bytes, bytes]),
  );
});

test("a hundred megabytes are read without a second look at any of them", () => {
  const huge = Buffer.alloc(100 * 1024 * 1024, "<!-- envoy logs <!-- envoy log\n");
  const pasted = logsWithoutPlaceholder(Buffer.concat([Buffer.from(template), huge]));
  expect(pasted.length).toBe(huge.length);
  expect(pasted.subarray(0, 31)).toEqual(huge.subarray(0, 31));
});
