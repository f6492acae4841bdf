// `.envoy/config.yaml` as written. Durations stay texts here; src/stores/config.ts turns them into milliseconds.
import {
  array,
  boolean,
  nullish,
  number,
  record,
  strictObject,
  string,
  union,
  literal,
  url,
  enum as oneOf,
  type infer as Infer,
} from "zod";
import { DIMENSIONS } from "./quality.ts";

export const FORMULAS = ["code-review", "security-audit", "quick-review", "none"] as const;
export type Formula = (typeof FORMULAS)[number];
export const GATE_TYPES = ["command", "parallel_review", "multi_pass", "human"] as const;
export type GateType = (typeof GATE_TYPES)[number];
export const RETRY_STRATEGIES = ["same", "fresh", "auto"] as const;
/** The last two are the older words for the first two. */
const ON_TIMEOUT = ["block", "fail", "defer", "block_feature", "fail_feature"] as const;

/** At most about a hundred years in each unit. */
const DURATION = /^(\d{1,12}ms|\d{1,9}s|\d{1,7}m|\d{1,5}h|\d{1,4}d)$/;
const DURATION_RULE = "a duration such as `30s`, `9m`, `12h` or `4d`";
const duration = () => string().regex(DURATION, `must be ${DURATION_RULE}`);
const durationOrNever = () => string().refine((text) => text === "never" || DURATION.test(text), `must be \`never\` or ${DURATION_RULE}`);
const count = (most = 1_000_000) => number().int("must be a whole number").min(1).max(most);
const words = () => string().trim().min(1, "must not be empty");

const GATE_NAME_RULE = "lower-case letters, digits, `-` and `_`, beginning with a letter (at most 40)";

/** Every key of every type; which of them a gate may have depends on its type, which may come from the formula. */
export const GateEntry = strictObject({
  name: string().regex(/^[a-z][a-z0-9_-]{0,39}$/, `must be ${GATE_NAME_RULE}`),
  type: nullish(oneOf(GATE_TYPES)),
  when: nullish(words()),
  serial: nullish(boolean()),
  fail_fast: nullish(boolean()),
  timeout: nullish(duration()),
  command: nullish(words()),
  reviewer: nullish(words()),
  dimensions: nullish(array(oneOf(DIMENSIONS)).min(1, "must name at least one dimension")),
  synthesis: nullish(union([literal(false), words()], "must be a command, or `false` for none")),
  passes: nullish(count(20)),
  max_parallel: nullish(count(32)),
  prompt: nullish(words()),
});
export type GateEntry = Infer<typeof GateEntry>;

const HumanInput = strictObject({
  enabled: nullish(boolean()),
  timeout: nullish(durationOrNever()),
  timeout_ms: nullish(count(3_155_760_000_000)),
  on_timeout: nullish(oneOf(ON_TIMEOUT)),
  max_open_questions_per_task: nullish(count(1000)),
  context_answer_history_limit: nullish(number().int().min(0).max(1000)),
  agents_may_answer: nullish(boolean()),
  templates: nullish(record(string(), string())),
});
const Gates = strictObject({ formula: nullish(oneOf(FORMULAS)), list: nullish(array(GateEntry)) });
const Retry = strictObject({
  strategy: nullish(oneOf(RETRY_STRATEGIES)),
  fresh_after_failures: nullish(count(100)),
  max_iterations: nullish(count(100)),
  on_stuck: nullish(oneOf(["human", "fail"])),
});
const Notify = strictObject({
  command: nullish(words()),
  webhook: nullish(url({ protocol: /^https?$/, error: "must be an http or https address" })),
});

export const ConfigFile = strictObject({
  human_input: nullish(HumanInput),
  gates: nullish(Gates),
  retry: nullish(Retry),
  notify: nullish(Notify),
});
export type ConfigFile = Infer<typeof ConfigFile>;
