// The gates that will run: a formula, with the team's list laid over it by name. Whatever is missing or does not fit
// is a mistake with its place; nothing is left out or guessed.
import type { Formula, GateEntry, GateType } from "../../schemas/config.ts";
import { EnvoyError, type Issue } from "../../schemas/errors.ts";
import { DIMENSIONS, type Dimension } from "../../schemas/quality.ts";
import type { ConfigText } from "../stores/config.ts";
import { parseDuration } from "../system/durations.ts";
import { FORMULA_GATES, type FormulaGate } from "./formulas.ts";
import { type Expression, parseWhen } from "./when.ts";

interface AnyGate {
  name: string;
  serial: boolean;
  failFast: boolean;
  when?: Expression;
}
export interface CommandGate extends AnyGate {
  type: "command";
  command: string;
  timeoutMs: number;
}
export interface ParallelReviewGate extends AnyGate {
  type: "parallel_review";
  reviewer: string;
  dimensions: Dimension[];
  synthesis?: string;
  maxParallel: number;
  /** Of each process. */
  timeoutMs: number;
}
export interface MultiPassGate extends AnyGate {
  type: "multi_pass";
  reviewer: string;
  passes: number;
  dimensions: Dimension[];
  timeoutMs: number;
}
export interface HumanGate extends AnyGate {
  type: "human";
  prompt: string;
  /** Undefined: no deadline. */
  timeoutMs?: number;
}
export type Gate = CommandGate | ParallelReviewGate | MultiPassGate | HumanGate;

export interface Gates {
  formula: Formula;
  gates: Gate[];
  issues: Issue[];
  warnings: string[];
}

const OWN_KEYS: Record<GateType, readonly (keyof GateEntry)[]> = {
  command: ["command", "timeout"],
  parallel_review: ["reviewer", "dimensions", "synthesis", "max_parallel", "timeout"],
  multi_pass: ["reviewer", "dimensions", "passes", "timeout"],
  human: ["prompt", "timeout"],
};
const SHARED_KEYS: readonly (keyof GateEntry)[] = ["name", "type", "when", "serial", "fail_fast"];
const DEFAULT_TIMEOUT = "10m";
/** More reviewers at once than this slow each other down on an ordinary machine. */
const DEFAULT_PARALLEL = 4;

interface Source {
  gate: Partial<FormulaGate & { synthesis: true | false | string }> & { name: string };
  /** As the team wrote it, and where; undefined for a gate of the formula that the list does not name. */
  entry?: { index: number; written: GateEntry };
}

/** Everything that `gates validate` says. Without a `gates` section the default formula counts. */
export function readGates({ config, at, file }: ConfigText): Gates {
  const { formula, list } = config.gates ?? { formula: "code-review", list: [] };
  const issues: Issue[] = [];
  const report = (path: (string | number)[], message: string, within = 0): void => {
    issues.push({ ...(config.gates ? at(path, within) : { file }), path: path.join("."), message });
  };
  const gates = overlay(formula, list, report).map((source) => resolveGate(source, formula, report));
  const warnings = gates.length === 0 ? ["No gates are configured (`formula: none`): everything passes unchecked."] : [];
  issues.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  return { formula, gates: gates.filter((gate) => gate !== undefined), issues, warnings };
}

export function requireGates(config: ConfigText): Gates {
  const gates = readGates(config);
  if (gates.issues.length) throw new EnvoyError("invalid_gates", { file: config.file, issues: gates.issues });
  return gates;
}

type Report = (path: (string | number)[], message: string, within?: number) => void;

function overlay(formula: Formula, list: GateEntry[], report: Report): Source[] {
  const sources: Source[] = FORMULA_GATES[formula].map((gate) => ({ gate }));
  for (const [index, written] of list.entries()) {
    const given = Object.fromEntries(Object.entries(written).filter(([, value]) => value != null)) as Source["gate"];
    const known = sources.find(({ gate }) => gate.name === written.name);
    if (!known) sources.push({ gate: given, entry: { index, written } });
    else if (known.entry) report(["gates", "list", index, "name"], `the gate \`${given.name}\` stands in the list a second time`);
    else {
      const sameType = (given.type ?? known.gate.type) === known.gate.type;
      Object.assign(known, { gate: sameType ? { ...known.gate, ...given } : given, entry: { index, written } });
    }
  }
  return sources;
}

function resolveGate({ gate, entry }: Source, formula: Formula, report: Report): Gate | undefined {
  const path = entry ? ["gates", "list", entry.index] : ["gates"];
  const { name, type } = gate;
  if (!type) {
    report(path, `the gate \`${name}\` needs a \`type\`: ${Object.keys(OWN_KEYS).join(", ")}`);
    return undefined;
  }
  const given = Object.entries(entry?.written ?? {}).filter(([, value]) => value != null);
  for (const key of given.map(([key]) => key as keyof GateEntry)) {
    if (OWN_KEYS[type].includes(key) || SHARED_KEYS.includes(key)) continue;
    report([...path, key], `\`${key}\` means nothing for a gate of type \`${type}\`, which takes ${OWN_KEYS[type].join(", ")}`);
  }
  const needed = type === "command" ? "command" : type === "human" ? "prompt" : "reviewer";
  if (!gate[needed]) report(entry?.written[needed] === null ? [...path, needed] : path, missing(name, needed, entry ? undefined : formula));
  const when = gate.when == null ? undefined : parseWhen(gate.when);
  if (when && !when.ok) report([...path, "when"], `column ${when.column} of the expression: ${when.message}`, when.column - 1);
  const shared = { name, serial: gate.serial ?? false, failFast: gate.fail_fast ?? false };
  return build(gate, { ...shared, ...(when?.ok ? { when: when.expression } : {}) }, type);
}

function missing(name: string, key: string, formula: Formula | undefined): string {
  const example = { command: "npm test", reviewer: "claude -p", prompt: "Review and approve this change" }[key];
  const whose = formula ? ` of the formula \`${formula}\`` : "";
  const where = formula ? "add to `gates.list`:" : "for example";
  return `the gate \`${name}\`${whose} has no \`${key}\`; ${where} \`- { name: ${name}, ${key}: "${example}" }\``;
}

/** What is missing here has been reported, and nothing is run while there is an issue. */
function build(gate: Source["gate"], shared: AnyGate, type: GateType): Gate {
  const timeoutMs = parseDuration(gate.timeout ?? DEFAULT_TIMEOUT)!;
  const reviewer = gate.reviewer ?? "";
  const dimensions = [...new Set(gate.dimensions ?? DIMENSIONS)];
  if (type === "command") return { ...shared, type, command: gate.command ?? "", timeoutMs };
  if (type === "human") return { ...shared, type, prompt: gate.prompt ?? "", ...(gate.timeout ? { timeoutMs } : {}) };
  if (type === "multi_pass") return { ...shared, type, reviewer, dimensions, passes: gate.passes ?? 2, timeoutMs };
  const synthesis = gate.synthesis === true ? reviewer : gate.synthesis;
  return {
    ...shared,
    type,
    reviewer,
    dimensions,
    ...(synthesis ? { synthesis } : {}),
    maxParallel: gate.max_parallel ?? DEFAULT_PARALLEL,
    timeoutMs,
  };
}
