// `.envoy/config.yaml`: what the team has decided once for all tasks. No file, no section, no key: the default.
import { join } from "node:path";
import { ConfigFile, type Formula, type GateEntry, type RETRY_STRATEGIES } from "../../schemas/config.ts";
import { EnvoyError, type Issue } from "../../schemas/errors.ts";
import { parseDuration } from "../system/durations.ts";
import type { Node, YamlText } from "../system/yaml/read.ts";
import { nodeAt, readCheckedYaml } from "./checked-yaml.ts";
import { readTextFile } from "./text-file.ts";

export interface Config {
  human_input: {
    enabled: boolean;
    /** Undefined: a question without `--timeout` never expires. */
    timeoutMs: number | undefined;
    on_timeout: "block" | "fail" | "defer";
    max_open_questions_per_task: number;
    context_answer_history_limit: number;
    agents_may_answer: boolean;
    templates: Record<string, string>;
  };
  /** Undefined where the team has configured none: then nothing is to be run by itself. */
  gates: { formula: Formula; list: GateEntry[] } | undefined;
  retry: RetryConfig;
  notify: { command?: string; webhook?: string };
}
export interface RetryConfig {
  strategy: (typeof RETRY_STRATEGIES)[number];
  fresh_after_failures: number;
  max_iterations: number;
  on_stuck: "human" | "fail";
}
export interface ConfigText {
  file: string;
  /** Empty where there is no file. */
  text: string;
  config: Config;
  /** Where a value stands; `within` counts characters inside a text. */
  at: (path: (string | number)[], within?: number) => Pick<Issue, "file" | "line" | "column">;
}

/** `directory` is envoy's own. */
export async function readConfig(directory: string): Promise<ConfigText> {
  const file = join(directory, "config.yaml");
  const text = (await readTextFile(directory, file)) ?? "";
  if (!/^[ \t]*[^#\s]/m.test(text)) return { file, text, config: withDefaults({}), at: () => ({ file }) };
  const { value, yaml } = readCheckedYaml(text, ConfigFile, { file });
  const at = locator(file, text, yaml);
  const { timeout, timeout_ms } = value.human_input ?? {};
  if (timeout != null && timeout_ms != null) {
    const path = ["human_input", "timeout_ms"];
    throw new EnvoyError("invalid_file", {
      file,
      issues: [{ ...at(path), path: path.join("."), message: "stands beside `timeout`; keep one of them" }],
    });
  }
  return { file, text, config: withDefaults(value), at };
}

function withDefaults({ human_input: human, gates, retry, notify }: ConfigFile): Config {
  return {
    human_input: {
      enabled: human?.enabled ?? true,
      timeoutMs: human?.timeout === "never" ? undefined : (human?.timeout_ms ?? parseDuration(human?.timeout ?? "15m")),
      on_timeout: ON_TIMEOUT[human?.on_timeout ?? "block"],
      max_open_questions_per_task: human?.max_open_questions_per_task ?? 1,
      context_answer_history_limit: human?.context_answer_history_limit ?? 3,
      agents_may_answer: human?.agents_may_answer ?? false,
      templates: human?.templates ?? {},
    },
    gates: gates ? { formula: gates.formula ?? "code-review", list: gates.list ?? [] } : undefined,
    retry: {
      strategy: retry?.strategy ?? "auto",
      fresh_after_failures: retry?.fresh_after_failures ?? 2,
      max_iterations: retry?.max_iterations ?? 3,
      on_stuck: retry?.on_stuck ?? "human",
    },
    notify: { ...(notify?.command ? { command: notify.command } : {}), ...(notify?.webhook ? { webhook: notify.webhook } : {}) },
  };
}

const ON_TIMEOUT = { block: "block", fail: "fail", defer: "defer", block_feature: "block", fail_feature: "fail" } as const;

/** Inside a text the place is exact where it stands on one line as it is; else it is where the text begins. */
function locator(file: string, text: string, yaml: YamlText): ConfigText["at"] {
  return (path, within = 0) => {
    const node = nodeAt(yaml.document.contents as unknown as Node, path);
    const start = node.range?.[0] ?? 0;
    const quote = /["']/.test(text[start] ?? "") ? 1 : 0;
    const value = (node as { value?: unknown }).value;
    const exact = typeof value === "string" && text.startsWith(value, start + quote);
    return { file, ...yaml.at(exact ? start + quote + within : start) };
  };
}
