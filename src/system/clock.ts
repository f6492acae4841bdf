// The wall clock, and timers that follow it.

// Node's timers stand still while a laptop sleeps and fire at once beyond 2^31-1 ms, so a long wait is cut into
// pieces after each of which the wall clock is asked again.
const LONGEST_PIECE_MS = 60_000;

export function now(): Date {
  return new Date();
}

export function isoNow(): string {
  return now().toISOString();
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const twoDigits = (n: number): string => String(n).padStart(2, "0");

/** In a person's own time: `18 Nov 10:02`. `toLocaleString` would load the rules of a language first, 8 MB and some 15 ms. */
export const dayAndTime = (date: Date): string =>
  `${date.getDate()} ${MONTHS[date.getMonth()]!} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;

/** Calls back once when the wall clock reaches `at`, never synchronously. Returns the function that cancels it. */
export function setDeadline(at: Date, callback: () => void, options: { unref?: boolean } = {}): () => void {
  const due = at.getTime();
  if (Number.isNaN(due)) throw new RangeError("a deadline needs a valid date");
  let timer: NodeJS.Timeout;
  const arm = (): void => {
    timer = setTimeout(look, Math.min(Math.max(due - Date.now(), 0), LONGEST_PIECE_MS));
    if (options.unref) timer.unref();
  };
  const look = (): void => {
    if (Date.now() >= due) callback();
    else arm();
  };
  arm();
  return () => clearTimeout(timer);
}
