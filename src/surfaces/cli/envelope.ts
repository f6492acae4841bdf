// The one JSON document of a run.
import type { EnvoyError } from "../../../schemas/errors.ts";
import { visibleText } from "../../system/visible-text.ts";

export type Envelope = { status: "success"; data: unknown } | { status: "pending"; data: unknown } | { status: "error"; error: unknown };

export const dataEnvelope = (status: "success" | "pending", data: object): Envelope => ({ status, data: stripEmpty(data) ?? {} });

/** Agents show errors to people, so what an agent or a file brought into the words is made visible. */
export const errorEnvelope = ({ type, message, suggestion, issues }: EnvoyError): Envelope => ({
  status: "error",
  error: stripEmpty({
    type,
    message: visibleText(message),
    suggestion: visibleText(suggestion),
    issues: issues.map((issue) => ({ ...issue, message: visibleText(issue.message) })),
  }),
});

/** Values that a user gave as data pass through untouched. */
const VERBATIM = new Set(["answer", "details"]);

/** Drops `""`, `null`, `[]`, `{}` and undefined at every depth; `false` and `0` stay. */
export function stripEmpty(value: unknown): unknown {
  if (value === null || value === "" || value === undefined) return undefined;
  if (Array.isArray(value)) {
    const items = value.map(stripEmpty).filter((item) => item !== undefined);
    return items.length ? items : undefined;
  }
  if (typeof value !== "object") return value;
  const entries = Object.entries(value)
    .map(([key, held]) => [key, VERBATIM.has(key) ? held : stripEmpty(held)] as const)
    .filter(([, held]) => held !== undefined);
  return entries.length ? Object.fromEntries(entries) : undefined;
}
