import type { Change, ChangeContext, Outcome } from "./changes.ts";
type Discard = Extract<Change, { change: "discard_branch" }>;
export async function prepareDiscard(change: Discard, _context: ChangeContext): Promise<Discard> {
  return change;
}
export async function discard(_change: Discard, _context: ChangeContext): Promise<Outcome> {
  return {};
}
