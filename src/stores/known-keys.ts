// Which keys a schema knows at a place, so that a mistyped one can be told what it was meant to be.
import type { ZodType } from "zod";

interface Definition {
  innerType?: ZodType;
  element?: ZodType;
  options?: ZodType[];
  shape?: Record<string, ZodType>;
}

export function knownKeys(schema: ZodType, path: (string | number)[]): string[] {
  const definition = schema._zod.def as unknown as Definition;
  if (definition.innerType) return knownKeys(definition.innerType, path);
  if (definition.options) return definition.options.flatMap((option) => knownKeys(option, path));
  const [step, ...rest] = path;
  if (step === undefined) return Object.keys(definition.shape ?? {});
  const next = definition.shape?.[step] ?? definition.element;
  return next ? knownKeys(next, rest) : [];
}
