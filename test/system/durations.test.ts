import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { isoNow, now, setDeadline } from "../../src/system/clock.ts";
import { formatDuration, parseDuration } from "../../src/system/durations.ts";

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const unit = fc.constantFrom(...(Object.keys(UNIT_MS) as (keyof typeof UNIT_MS)[]));

describe("durations", () => {
  it("reads every number with every unit as a person means it", () => {
    fc.assert(
      fc.property(fc.nat(36_525), unit, (count, name) => {
        expect(parseDuration(`${count}${name}`)).toBe(count * UNIT_MS[name]);
      }),
    );
  });

  it("never reads anything else as a duration", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-+ ]?[0-9.eE]{0,4} ?[mshdwMSHD]{0,3}\n?$/)), (text) => {
        fc.pre(!/^\d+(ms|s|m|h|d)$/.test(text) || text.endsWith("\n"));
        expect(parseDuration(text)).toBeUndefined();
      }),
    );
  });

  it.each(["", "5", "m", "-5m", "5 m", "1.5h", "5M", "1h30m", "1e3s", "٣m", "999999999999999d", "5m\n"])("refuses %j", (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it.each([
    [0, "0 ms"],
    [500, "500 ms"],
    [30_000, "30 s"],
    [540_000, "9 min"],
    [43_200_000, "12 h"],
    [345_600_000, "4 d"],
    [5_400_000, "1 h 30 min"],
    [86_400_001, "1 d"],
    [-5, "0 ms"],
  ])("shows %d ms as %s", (ms, shown) => {
    expect(formatDuration(ms)).toBe(shown);
  });

  it("never shows more than there is, and is less than one of its smaller unit off", () => {
    fc.assert(
      fc.property(fc.nat(4_000_000_000), (ms) => {
        const parts = [...formatDuration(ms).matchAll(/(\d+) (ms|s|min|h|d)/g)];
        const read = parts.map(([, count, name]) => Number(count) * UNIT_MS[name === "min" ? "m" : (name as "s")]);
        const shown = read.reduce((sum, part) => sum + part, 0);
        expect(shown).toBeLessThanOrEqual(ms);
        expect(ms - shown).toBeLessThan(Math.max(1, ms * 0.05));
      }),
    );
  });
});

describe("deadlines", () => {
  it("lets a date that has passed fire, but not before the caller goes on", async () => {
    let fired = false;
    const reached = new Promise<void>((resolve) => {
      setDeadline(new Date(0), () => {
        fired = true;
        resolve();
      });
    });
    expect(fired).toBe(false);
    await reached;
    expect(fired).toBe(true);
  });

  it("does not let a deadline 30 days away fire at once", async () => {
    const fired: string[] = [];
    const cancel = setDeadline(new Date(Date.now() + 30 * 86_400_000), () => fired.push("far"));
    await new Promise<void>((resolve) => setDeadline(new Date(Date.now() + 20), resolve));
    cancel();
    expect(fired).toEqual([]);
  });

  it("never fires before its time by the wall clock", async () => {
    const due = new Date(Date.now() + 15);
    await new Promise<void>((resolve) => setDeadline(due, resolve));
    expect(now().getTime()).toBeGreaterThanOrEqual(due.getTime());
  });

  it("does not fire once cancelled", async () => {
    const fired: string[] = [];
    setDeadline(new Date(0), () => fired.push("cancelled"))();
    await new Promise<void>((resolve) => setDeadline(new Date(Date.now() + 10), resolve, { unref: false }));
    expect(fired).toEqual([]);
  });

  it("refuses a date that is none, and tells the time in ISO 8601", () => {
    expect(() => setDeadline(new Date("soon"), () => undefined)).toThrow(RangeError);
    expect(isoNow()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });
});
