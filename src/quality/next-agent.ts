import type { Feedback } from "../../schemas/quality.ts";
import type { RetryConfig } from "../stores/config.ts";
import { sameFeedback } from "./feedback.ts";

export interface FailedRound {
  feedback: readonly Feedback[];
  /** The agent said so before it ended the round. */
  contextExhausted: boolean;
}
export type NextAgentKind = "same" | "fresh";

/** Who goes on after the failed rounds of a task, the last one just ended. A fresh agent starts its own count. */
export function nextAgent({ strategy, fresh_after_failures }: RetryConfig, failed: readonly FailedRound[]): NextAgentKind {
  if (strategy !== "auto") return strategy;
  let kind: NextAgentKind = "same";
  let failures = 0;
  for (const [i, round] of failed.entries()) {
    failures = kind === "fresh" ? 1 : failures + 1;
    const before = failures > 1 ? failed[i - 1] : undefined;
    const repeated = before !== undefined && sameFeedback(before.feedback, round.feedback);
    kind = failures >= fresh_after_failures || repeated || round.contextExhausted ? "fresh" : "same";
  }
  return kind;
}
