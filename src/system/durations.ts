// Lengths of time as people write them (`9m`) and read them (`9 min`).

const UNITS = [
  { written: "d", read: "d", ms: 86_400_000 },
  { written: "h", read: "h", ms: 3_600_000 },
  { written: "m", read: "min", ms: 60_000 },
  { written: "s", read: "s", ms: 1000 },
  { written: "ms", read: "ms", ms: 1 },
] as const;

const PATTERN = /^(\d{1,15})(ms|s|m|h|d)$/;

/** Milliseconds of `500ms`, `30s`, `9m`, `12h` or `4d`; undefined for anything else and beyond what a Date can add. */
export function parseDuration(text: string): number | undefined {
  const [, count, written] = PATTERN.exec(text) ?? [];
  const unit = UNITS.find((each) => each.written === written);
  if (count === undefined || !unit) return undefined;
  const ms = Number(count) * unit.ms;
  return ms <= LONGEST_MS ? ms : undefined;
}

// A hundred years: a deadline that far from now is still a valid date.
const LONGEST_MS = 36_525 * 86_400_000;

/** The two largest units, rounded down to the second of them: `12 h`, `9 min`, `1 h 30 min`, `2 d 5 h`. */
export function formatDuration(ms: number): string {
  const whole = Math.max(0, Math.floor(ms));
  const first = UNITS.findIndex((unit) => whole >= unit.ms);
  const [large, small] = first === -1 ? [UNITS[4]] : UNITS.slice(first, first + 2);
  if (!large) return "0 ms";
  const rest = small ? Math.floor((whole % large.ms) / small.ms) : 0;
  const start = `${Math.floor(whole / large.ms)} ${large.read}`;
  return small && rest > 0 ? `${start} ${rest} ${small.read}` : start;
}
