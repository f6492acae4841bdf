// `?` is one character and `*` any number of them within one name; `**` crosses folders, and followed by a slash it
// stands for no folder too. Everything else is itself.

/** One sweep over the path for each part of the pattern, so that none takes long. */
export function matchesGlob(pattern: string, path: string): boolean {
  const parts = pattern.match(/(?<=^|\/)\*\*\/|\*\*|[\s\S]/g) ?? [];
  let reached = Array.from({ length: path.length + 1 }, (_, i) => i === 0);
  for (const part of parts) reached = sweep(part, path, reached);
  return reached[path.length]!;
}

/** From the places in the path that the parts so far may end at to those that the next one may end at. */
function sweep(part: string, path: string, reached: boolean[]): boolean[] {
  const next: boolean[] = [];
  let before = false;
  for (let i = 0; i <= path.length; i++) {
    const last = path[i - 1];
    if (part === "**/") next[i] = reached[i]! || (before && last === "/");
    else if (part === "**") next[i] = reached[i]! || before;
    else if (part === "*") next[i] = reached[i]! || (i > 0 && next[i - 1]! && last !== "/");
    else next[i] = i > 0 && reached[i - 1]! && (part === "?" ? last !== "/" : last === part);
    before ||= reached[i]!;
  }
  return next;
}
