import type { Filled, FormLine } from "./filled-form.ts";

/** What a hurried edit leaves, and what an honest reader may make of it. */
export interface Edited {
  lines: FormLine[];
  /** Indentation, line breaks, quotes and the template's bar may be read differently; words may not. */
  loose?: true;
  /** No reading is the right one: it must be refused. */
  refuse?: true;
  /** A word that a person typed where it belongs to no field in particular. */
  stray?: string;
}
/** `pick` chooses where: any number, taken modulo what there is. */
type Edit = (filled: Filled, pick: number) => Edited;

const at = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(1, list.length)];
const textOf = ({ lines }: Filled, k: number) => lines.filter((own) => own.role === "text" && own.k === k);
const answered = (filled: Filled) => filled.keys.flatMap((_, k) => (textOf(filled, k).length ? [k] : []));
const replace = (lines: readonly FormLine[], old: FormLine, ...own: FormLine[]) => lines.flatMap((line) => (line === old ? own : [line]));
const keyLine = ({ lines }: Filled, k: number) => lines.find((own) => own.role === "key" && own.k === k)!;

/** An edit of one field that has text, or none where there is no such field. */
const onText =
  (edit: (filled: Filled, k: number) => Edited): Edit =>
  (filled, pick) => {
    const k = at(answered(filled), pick);
    return k === undefined ? { lines: filled.lines } : edit(filled, k);
  };

/** The first line of the text goes to the key's line. One that itself begins like a block is nobody's to tell apart. */
const beside = (head: (raw: string, first: string) => string): Edit =>
  onText((filled, k) => {
    const [first] = textOf(filled, k);
    const key = keyLine(filled, k);
    const lines = filled.lines.filter((own) => own !== first);
    if (/^[|>]/.test(first!.meant!)) return { lines: filled.lines };
    return { lines: replace(lines, key, { ...key, raw: head(key.raw, first!.meant!) }, { ...first!, raw: "" }), loose: true };
  });

const onLine =
  (edit: (filled: Filled, line: FormLine, i: number) => Edited): Edit =>
  (filled, pick) =>
    edit(filled, at(filled.lines, pick)!, pick % filled.lines.length);

export const EDITS: Record<string, Edit> = {
  "nothing else": ({ lines }) => ({ lines }),
  "text at the margin": onText((filled, k) => ({
    lines: filled.lines.map((own) => (own.role === "text" && own.k === k ? { ...own, raw: own.meant! } : own)),
  })),
  "text half indented": onText((filled, k) => ({
    lines: filled.lines.map((own) => (own.role === "text" && own.k === k && own.meant ? { ...own, raw: ` ${own.meant}` } : own)),
  })),
  "text indented by tabs": onText((filled, k) => ({
    lines: filled.lines.map((own) => (own.role === "text" && own.k === k && own.meant ? { ...own, raw: `\t${own.meant}` } : own)),
    loose: true,
  })),
  "first line indented, the rest pasted": onText((filled, k) => {
    const [first] = textOf(filled, k);
    return {
      lines: filled.lines.map((own) => (own.role === "text" && own.k === k && own !== first ? { ...own, raw: own.meant! } : own)),
      loose: true,
    };
  }),
  "beside the key": beside((raw, first) => raw.replace(/\|$/, first)),
  "behind the bar": beside((raw, first) => `${raw} ${first}`),
  "before the bar": beside((raw, first) => raw.replace(/\|$/, `${first} |`)),
  "bar deleted": onText((filled, k) => {
    const key = keyLine(filled, k);
    return { lines: replace(filled.lines, key, { ...key, raw: key.raw.replace(/ \|$/, "") }), loose: true };
  }),
  "under the help": onText((filled, k) => {
    const key = keyLine(filled, k);
    const own = textOf(filled, k);
    const lines = filled.lines.filter((line) => !own.includes(line));
    return { lines: replace(lines, key, ...own.map((line) => ({ ...line, raw: `# ${line.meant}` })), key), loose: true };
  }),
  "line deleted": onLine(({ lines }, line) => ({
    lines: lines.filter((own) => own !== line),
    loose: true,
    ...(line.role === "key" ? { refuse: true } : {}),
  })),
  "line doubled": onLine(({ lines }, line) => ({
    lines: replace(lines, line, line, { ...line }),
    ...(line.role === "key" ? { refuse: true } : {}),
  })),
  "lines joined": onLine(({ lines }, line, i) => {
    const next = lines[i + 1];
    if (!next) return { lines };
    const raw = `${line.raw.trimEnd()} ${next.raw.trim()}`;
    const rest = lines.filter((own) => own !== next);
    if (line.role === "text" && next.role === "text")
      return { lines: replace(rest, line, { ...line, raw, meant: `${line.meant} ${next.meant}` }), loose: true };
    if (next.raw.trim() === "") return { lines: replace(rest, line, { ...line, raw }), loose: true };
    if (next.role === "text" && line.role === "key")
      return { lines: replace(lines, line, { ...line, raw }).map((own) => (own === next ? { ...own, raw: "" } : own)), loose: true };
    if (line.raw.trim() === "") return { lines: replace(rest, line, { ...next, raw }), loose: true };
    return { lines: replace(rest, line, { ...line, raw }), refuse: true };
  }),
  "key moved": (filled, pick) => {
    const key = keyLine(filled, pick % filled.keys.length);
    const lines = filled.lines.filter((own) => own !== key);
    const others = lines.flatMap((own, i) => (own.role === "key" ? [i] : []));
    const to = at(
      others.filter((i) => lines[i]!.k !== key.k + 1),
      pick >> 4,
    );
    if (to === undefined) return { lines: filled.lines };
    return { lines: [...lines.slice(0, to), key, ...lines.slice(to)], refuse: true };
  },
  "re-indented": (filled, pick) => ({
    lines: filled.lines.map((own, i) => ({ ...own, raw: own.raw.trim() && " ".repeat((pick >> (i % 20)) % 5) + own.raw.trim() })),
    loose: true,
  }),
  "key in another case": (filled, pick) => {
    const key = keyLine(filled, pick % filled.keys.length);
    return { lines: replace(filled.lines, key, { ...key, raw: key.raw.replace(/[a-z]\w*(?=:)/i, (name) => name.toUpperCase()) }) };
  },
  "value deleted": (filled, pick) => {
    const key = keyLine(filled, pick % (filled.keys.length - 1));
    const field = filled.keys[key.k]!.field as { kind: string };
    const decision = ["yesno", "choice", "number", "fixed"].includes(field.kind);
    return {
      lines: replace(filled.lines, key, { ...key, raw: key.raw.replace(/:.*/, ":") }),
      ...(decision ? { refuse: true } : { loose: true }),
    };
  },
  "line commented out": onLine(({ lines }, line) => {
    const raw = line.raw.trim() && line.raw.replace(/\S/, "# $&");
    if (line.role === "text")
      return { lines: replace(lines, line, { ...line, raw, meant: line.meant ? `# ${line.meant.trim()}` : "" }), loose: true };
    return { lines: replace(lines, line, { ...line, raw }), ...(line.role === "key" && !raw.startsWith("# done") ? { refuse: true } : {}) };
  }),
  "a stray line": onLine(({ lines }, line, i) => ({
    lines: replace(lines, line, line, { raw: i % 2 ? "zebra: crossing #1" : "zebra crossing", role: "blank", k: line.k }),
    stray: i % 2 ? "zebra: crossing #1" : "zebra crossing",
  })),
  "words behind a decision": (filled, pick) => {
    const k = at([...filled.decisions.keys()], pick)!;
    const key = keyLine(filled, k);
    return { lines: replace(filled.lines, key, { ...key, raw: `${key.raw}${pick % 2 ? " # because" : " because"}` }), refuse: true };
  },
  "all comments deleted": ({ lines }) => ({ lines: lines.filter(({ role }) => role !== "comment") }),
};
