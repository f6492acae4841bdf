// `gates init`: a formula's gates written out in full, into a configuration that keeps everything it has.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Formula } from "../../schemas/config.ts";
import type { Config } from "../stores/config.ts";
import { type YamlEdit, editYaml } from "../system/yaml/edit.ts";
import { FORMULA_GATES, type FormulaGate } from "./formulas.ts";

/** What to write for a gate of that name; what is not known is left for the team, and `gates validate` says so. */
export type KnownCommands = Partial<Record<"tests" | "typecheck" | "reviewer", string>>;

/** Gates that the list has already stay as they are. */
export function textWithGates(source: { text: string; config: Config }, formula: Formula, known: KnownCommands = {}): string {
  const { gates } = source.config;
  const names = new Set(gates?.list.map(({ name }) => name));
  const entries = FORMULA_GATES[formula].filter(({ name }) => !names.has(name)).map((gate) => inFull(gate, known));
  if (!gates) return editYaml(source.text, [{ path: ["gates"], value: { formula, list: entries } }]);
  const edits: YamlEdit[] = [{ path: ["gates", "formula"], value: formula }];
  if (gates.list.length === 0) edits.push({ path: ["gates", "list"], value: entries });
  else for (const [i, value] of entries.entries()) edits.push({ path: ["gates", "list", gates.list.length + i], value });
  return editYaml(source.text, edits);
}

function inFull(gate: FormulaGate, known: KnownCommands): Record<string, unknown> {
  const { synthesis, ...entry } = gate;
  if (gate.type === "command")
    return { ...entry, command: known[gate.name as keyof KnownCommands] ?? null, fail_fast: true, timeout: "10m" };
  if (gate.type === "human") return entry;
  const reviewer = known.reviewer ?? null;
  return { ...entry, reviewer, ...(synthesis ? { synthesis: reviewer } : {}), max_parallel: 4, timeout: "10m" };
}

/** Only what the project's own files say. */
export function knownCommands(root: string): KnownCommands {
  const has = (file: string) => existsSync(join(root, file));
  if (has("package.json")) return npmCommands(join(root, "package.json"));
  if (has("Cargo.toml")) return { tests: "cargo test", typecheck: "cargo check" };
  if (has("go.mod")) return { tests: "go test ./...", typecheck: "go vet ./..." };
  return {};
}

function npmCommands(file: string): KnownCommands {
  try {
    const { scripts } = JSON.parse(readFileSync(file, "utf8")) as { scripts?: Record<string, string> };
    const typecheck = ["typecheck", "type-check", "types"].find((name) => scripts?.[name]);
    return { ...(scripts?.["test"] ? { tests: "npm test" } : {}), ...(typecheck ? { typecheck: `npm run ${typecheck}` } : {}) };
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
