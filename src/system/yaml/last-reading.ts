// One answer reads large findings several times: to see what has changed, to change them, to check the change. The last
// such reading is kept until somebody says that the process only waits from now on.
const LARGE = 100_000;
let last: { text: string; reading: object } | undefined;

export function remember(text: string, reading: object): void {
  if (text.length > LARGE) last = { text, reading };
}

export const recall = (text: string): object | undefined => (last?.text === text ? last.reading : undefined);

export function forget(): void {
  last = undefined;
}
