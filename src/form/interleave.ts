import type { ListItem } from "./description.ts";

/** Entries with the name of each, by which it is known again. */
type Named<T> = [entries: readonly T[], names: readonly string[]];

/**
 * Both lists as one: what was there keeps its order, and each new entry follows the one that it follows in `next`.
 * Doing it again with the same `next` changes nothing.
 */
export function interleave<T>([old, oldNames]: Named<T>, [next, nextNames]: Named<T>): { old?: T; next?: T }[] {
  const nextByName = new Map(nextNames.map((name, i) => [name, next[i]!]));
  const known = new Set(oldNames);
  const first: { next: T }[] = [];
  const following = new Map<string, { next: T }[]>();
  let place = first;
  for (const [name, entry] of nextByName) {
    if (known.has(name)) following.set(name, (place = []));
    else place.push({ next: entry });
  }
  const pairs = old.flatMap((entry, i) => {
    const match = nextByName.get(oldNames[i]!);
    return [{ old: entry, ...(match !== undefined && { next: match }) }, ...(following.get(oldNames[i]!) ?? [])];
  });
  return [...first, ...pairs];
}

/** A list's items are known by their first fixed text, and where that stands there twice, by its turn. */
export function itemNames(items: readonly ListItem[]): string[] {
  const seen = new Map<string, number>();
  return items.map(({ fields }) => {
    const fixed = fields.find((field) => field.kind === "fixed");
    const name = fixed ? `=${fixed.text}` : "";
    const turn = (seen.get(name) ?? 0) + 1;
    seen.set(name, turn);
    return `${turn}${name}`;
  });
}
