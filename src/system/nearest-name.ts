/** The name a person most likely meant, or undefined when none is near. */
export function nearestName(given: string, names: Iterable<string>): string | undefined {
  let best: { name: string; distance: number } | undefined;
  const limit = Math.max(2, Math.floor(given.length / 3));
  for (const name of names) {
    const distance = editDistance(given.toLowerCase().slice(0, 64), name.toLowerCase());
    if (distance <= limit && distance < (best?.distance ?? Infinity)) best = { name, distance };
  }
  return best?.name;
}

/** Insertions, deletions, replacements and swaps of neighbours each count one. */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? rows[i - 2]![j - 2]! + 1 : Infinity;
      const replace = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, replace, swap));
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
