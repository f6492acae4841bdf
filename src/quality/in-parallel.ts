/** All of them, at most `limit` at a time, results in the order of the items. Waits for all even if one throws. */
export async function inParallel<T, R>(items: readonly T[], limit: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const faults: unknown[] = [];
  const rest = [...items.entries()];
  const worker = async (): Promise<void> => {
    for (let next = rest.shift(); next; next = rest.shift()) {
      try {
        results[next[0]] = await work(next[1]);
      } catch (error) {
        faults.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, limit) }, worker));
  if (faults.length) throw faults[0];
  return results;
}
