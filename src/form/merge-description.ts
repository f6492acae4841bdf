import type { Field, FormDescription, ListItem } from "./description.ts";
import { interleave, itemNames } from "./interleave.ts";
import { isEmptyContainer } from "./key-lines.ts";

type Path = (string | number)[];

/** What became of each entry when its subjects changed. Paths are the merged form's, but for those dropped. */
export interface MergedDescription {
  description: FormDescription;
  /** Where each field that stays stood before: merged path to former path, both as `pathName` gives them. */
  origin: Map<string, string>;
  added: Path[];
  dropped: Path[];
  kept: Path[];
}

export const pathName = (path: readonly (string | number)[]): string => path.join("\0");

interface Merge extends Omit<MergedDescription, "description"> {
  /** Whether a person has written anything at this path or below it. */
  touched: (path: Path) => boolean;
  clash: boolean;
}
interface Placed<T> {
  value: T;
  path: Path;
}

/**
 * The fields of `next`, in the order in which the person already has them, and the entries that hold text although
 * their subject is gone. Undefined where a field that holds text became one of another kind.
 */
export function mergeDescriptions(
  old: FormDescription,
  next: FormDescription,
  touched: (path: Path) => boolean,
): MergedDescription | undefined {
  const merge: Merge = { touched, clash: false, origin: new Map(), added: [], dropped: [], kept: [] };
  const fields = mergeFields(merge, { value: old.fields, path: [] }, { value: next.fields, path: [] });
  return merge.clash ? undefined : { ...merge, description: { ...next, fields } };
}

function mergeFields(merge: Merge, old: Placed<readonly Field[]>, next: Placed<readonly Field[]>): Field[] {
  const names = (fields: readonly Field[]) => fields.map(({ key }) => key);
  return interleave([old.value, names(old.value)], [next.value, names(next.value)]).flatMap(({ old: before, next: after }): Field[] => {
    const path = [...next.path, (after ?? before)!.key];
    if (!before) return [add(merge, { value: after!, path })];
    const former = { value: before, path: [...old.path, before.key] };
    if (after?.kind === before.kind) return [mergeField(merge, former, { value: after, path })];
    if (after) {
      merge.clash ||= merge.touched(former.path);
      merge.dropped.push(former.path);
      return [add(merge, { value: after, path })];
    }
    if (before.kind === "list" || (before.kind === "group" && before.computed)) {
      const emptied = mergeField(merge, former, {
        value: { ...before, ...(before.kind === "list" ? { items: [] } : { fields: [] }) },
        path,
      });
      return isEmptyContainer(emptied) ? [] : [emptied];
    }
    return keepOrDrop(merge, former, path) ? [gone(before)] : [];
  });
}

function mergeField(merge: Merge, old: Placed<Field>, next: Placed<Field>): Field {
  const [before, after] = [old.value, next.value];
  merge.origin.set(pathName(next.path), pathName(old.path));
  if (before.kind === "group" && after.kind === "group")
    return { ...after, fields: mergeFields(merge, { value: before.fields, path: old.path }, { value: after.fields, path: next.path }) };
  if (before.kind === "list" && after.kind === "list")
    return { ...after, items: mergeItems(merge, { value: before.items, path: old.path }, { value: after.items, path: next.path }) };
  return after;
}

function mergeItems(merge: Merge, old: Placed<readonly ListItem[]>, next: Placed<readonly ListItem[]>): ListItem[] {
  const places = new Map(old.value.map((item, index) => [item, index]));
  const items: ListItem[] = [];
  for (const { old: before, next: after } of interleave([old.value, itemNames(old.value)], [next.value, itemNames(next.value)])) {
    const path = [...next.path, items.length];
    const former = before && {
      value: { kind: "group", key: "", fields: before.fields } as const,
      path: [...old.path, places.get(before)!],
    };
    if (!former) {
      merge.added.push(path);
      items.push(after!);
    } else if (after)
      items.push({ ...after, fields: mergeFields(merge, { value: before.fields, path: former.path }, { value: after.fields, path }) });
    else if (keepOrDrop(merge, former, path)) items.push({ ...before, fields: before.fields.map(asksNothing), gone: true });
  }
  return items;
}

function add(merge: Merge, { value, path }: Placed<Field>): Field {
  if (value.kind === "list") value.items.forEach((_, index) => merge.added.push([...path, index]));
  else if (value.kind === "group" && value.computed) value.fields.forEach(({ key }) => merge.added.push([...path, key]));
  else merge.added.push(path);
  return value;
}

/** Its subject is gone: it stays only for what a person wrote there. */
function keepOrDrop(merge: Merge, former: Placed<Field>, path: Path): boolean {
  const touched = merge.touched(former.path);
  (touched ? merge.kept : merge.dropped).push(touched ? path : former.path);
  if (touched) stays(merge, former, path);
  return touched;
}

function stays(merge: Merge, { value, path: former }: Placed<Field>, path: Path): void {
  merge.origin.set(pathName(path), pathName(former));
  const below = (fields: readonly Field[], steps: Path) =>
    fields.forEach((field) => stays(merge, { value: field, path: [...former, ...steps, field.key] }, [...path, ...steps, field.key]));
  if (value.kind === "group") below(value.fields, []);
  if (value.kind === "list") value.items.forEach((item, index) => below(item.fields, [index]));
}

const gone = (field: Field): Field => ({ ...asksNothing(field), gone: true });

/** Nobody needs an answer about what no longer exists. */
function asksNothing(field: Field): Field {
  if (field.kind === "text") return { ...field, required: false };
  if (field.kind === "group") return { ...field, fields: field.fields.map(asksNothing) };
  if (field.kind === "list") return { ...field, items: field.items.map((item) => ({ ...item, fields: item.fields.map(asksNothing) })) };
  return field.kind === "fixed" ? field : { ...field, optional: true };
}
