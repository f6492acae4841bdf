// What every fact of a gate must hold before anything is concluded from it: files can be damaged by hand or by a disk.
import { EnvoyError } from "../../schemas/errors.ts";
import type { GateFact } from "./history.ts";

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === "string";
const list: Check = (value) => Array.isArray(value);
const object: Check = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const count: Check = (value) => Number.isSafeInteger(value);
const time: Check = (value) => typeof value === "string" && !Number.isNaN(Date.parse(value));
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const fields =
  (checks: Record<string, Check>): Check =>
  (value) =>
    object(value) && Object.entries(checks).every(([key, check]) => check((value as Record<string, unknown>)[key]));

const form = fields({ written: text, description: fields({ key: text, title: list, fields: list }) });

const SHAPES: Record<GateFact["type"], Record<string, Check>> = {
  opened: {
    kind: text,
    key: text,
    plan: optional(fields({ directory: text, name: text })),
    form,
    deadline: orNull(time),
    asked_by: text,
  },
  reformed: { form },
  extended: { deadline: orNull(time) },
  expired: { expired_at: time },
  tried: { answered_by: text, refused: text },
  handed_back: { saved: text, text, marks: list },
  told: {},
  filled: { text, answered_by: text },
  answered: {
    answer: fields({ values: object, saved: text, saved_at: time }),
    changes: list,
    result: fields({ gate: text, summary: text }),
  },
  withdrawn: { saved: optional(text) },
  stepped: { index: count, outcome: object },
  applied: { result: optional(fields({ gate: text, summary: text })) },
  delivered: {},
};

/** Throws what is wrong with which fact; a later envoy's unknown fact must not be passed over. */
export function checkFacts(id: string, facts: readonly { type: string }[]): void {
  for (const [i, fact] of facts.entries()) {
    const shape = Object.hasOwn(SHAPES, fact.type) ? SHAPES[fact.type as GateFact["type"]] : undefined;
    if (!shape) throw damaged(id, `fact ${i + 1} is of the type ${JSON.stringify(fact.type)}, which this envoy does not know`);
    const wrong = Object.keys(shape).find((key) => !shape[key]!((fact as unknown as Record<string, unknown>)[key]));
    if (wrong !== undefined) throw damaged(id, `fact ${i + 1} (${fact.type}) has no proper ${JSON.stringify(wrong)}`);
  }
}

export const damaged = (id: string, message: string): EnvoyError =>
  new EnvoyError("invalid_file", {
    file: `the record of ${id}`,
    issues: [{ message: `${message}; it was damaged or written by another envoy` }],
  });
