// Why no prompt can be begun now, and what brings the plan on.
import { formatSubjectId, spokenSubjectId } from "../../schemas/names.ts";
import { isReadyVariant } from "../../schemas/plan.ts";
import type { Prompt } from "../../src/stores/prompts.ts";

interface Waiting {
  prompt: Prompt;
  /** Numbers that are not done. */
  missing: number[];
}
interface Told {
  message: string;
  next: string;
}

/** `typed` makes a command line of the words behind `envoy plan`. */
export function whyNoneBegins(all: Prompt[], waiting: Waiting[], typed: (words: string) => string): Told {
  const wanted = all.filter(({ front }) => front.variant_solution !== "discard" && front.variant_solution !== "alternative");
  if (!wanted.length) return { message: "The plan has no prompts yet.", next: `Write one: ${typed("write-prompt 1 --description …")}` };
  const reasons = [...stillOpen(wanted, typed), ...dependencies(all, waiting, typed)];
  if (!reasons.length) return allDone(wanted, typed);
  return { message: `Nothing can begin now: ${reasons.map(({ message }) => message).join("; ")}.`, next: reasons[0]!.next };
}

/** First what an agent can finish, last what a person can decide only when the rest is done. */
function stillOpen(wanted: Prompt[], typed: (words: string) => string): Told[] {
  const begun = wanted.filter(({ front }) => front.status === "unimplemented" && front.in_progress);
  const finished = wanted.filter(({ front }) => front.status !== "unimplemented");
  const isChoice = ({ id, front }: Prompt) => id.variant !== null && !front.variant_solution && isReadyVariant(front);
  const untested = finished.filter((prompt) => !isChoice(prompt) && prompt.front.status !== "tested" && prompt.front.status !== "merged");
  return [
    ...begun.map(({ id }): Told => {
      const name = formatSubjectId(id);
      return { message: `${name} is in progress`, next: `When ${name} is implemented: ${typed(`complete-prompt ${spokenSubjectId(id)}`)}` };
    }),
    ...untested.map(({ id, front }): Told => {
      const next = front.requires_manual_testing
        ? `Have it tested: ${typed(`block-prompt-testing-gate ${spokenSubjectId(id)}`)}`
        : `When it works: ${typed(`set-prompt-status ${spokenSubjectId(id)} --status tested`)}`;
      return { message: `${formatSubjectId(id)} is ${front.status} but not tested`, next };
    }),
    ...finished.filter(isChoice).map(({ id, front }): Told => {
      const next = `Have a variant chosen: ${typed(`block-prompt-variants-gate ${spokenSubjectId(id)}`)}`;
      return { message: `${formatSubjectId(id)} is ${front.status} but no variant is chosen`, next };
    }),
  ];
}

function dependencies(all: Prompt[], waiting: Waiting[], typed: (words: string) => string): Told[] {
  const numbers = new Set(all.map(({ id }) => id.number));
  return waiting
    .map(({ prompt: { id }, missing }): Told & { unknown: number | undefined } => {
      const unknown = missing.find((number) => !numbers.has(number));
      const message = `${formatSubjectId(id)} waits for ${missing.join(", ")}${unknown === undefined ? "" : `, and there is no prompt ${unknown}`}`;
      if (unknown !== undefined) return { message, unknown, next: `Write it: ${typed(`write-prompt ${unknown} --description …`)}` };
      const depend = typed(`write-prompt ${spokenSubjectId(id)} --depends-on …`);
      return { message, unknown, next: `They wait for each other; say anew what one depends on: ${depend}` };
    })
    .toSorted((a, b) => Number(a.unknown === undefined) - Number(b.unknown === undefined));
}

function allDone(wanted: Prompt[], typed: (words: string) => string): Told {
  const unmerged = wanted.filter(({ front }) => front.status !== "merged").map(({ id }) => id);
  const [first] = unmerged;
  if (!first) return { message: "All prompts are done and merged.", next: `Put the plan away: ${typed("archive")}` };
  const names = unmerged.map(formatSubjectId).join(", ");
  const words = `set-prompt-status ${spokenSubjectId(first)} --status merged`;
  return { message: `All prompts are done; not merged yet: ${names}.`, next: `Merge ${formatSubjectId(first)}, then ${typed(words)}` };
}
