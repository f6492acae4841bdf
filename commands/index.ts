// The registry: one explicit line per command. A line costs nothing until its command runs.
import type { Command } from "./command.ts";

type Load = () => Promise<{ command: Command }>;

export const COMMANDS: Record<string, Load> = {
  ask: () => import("./ask.ts"),
  wait: () => import("./wait.ts"),
  show: () => import("./show.ts"),
  answer: () => import("./answer.ts"),
  respond: () => import("./answer.ts"),
  withdraw: () => import("./withdraw.ts"),
  inbox: () => import("./inbox.ts"),
  "plan init": () => import("./plan/init.ts"),
  "plan list": () => import("./plan/list.ts"),
  "plan archive": () => import("./plan/archive.ts"),
  "plan write-finding": () => import("./plan/write-finding.ts"),
  "plan write-approach": () => import("./plan/write-approach.ts"),
  "plan clear-approach": () => import("./plan/clear-approach.ts"),
  "plan get-finding-approach": () => import("./plan/get-finding-approach.ts"),
  "plan get-findings": () => import("./plan/get-findings.ts"),
  "plan write-plan": () => import("./plan/write-plan.ts"),
  "plan get-plan": () => import("./plan/get-plan.ts"),
  "plan write-prompt": () => import("./plan/write-prompt.ts"),
  "plan clear-prompt": () => import("./plan/clear-prompt.ts"),
  "plan get-prompt": () => import("./plan/get-prompt.ts"),
  "plan list-prompts": () => import("./plan/list-prompts.ts"),
  "plan next": () => import("./plan/next.ts"),
  "plan start-prompt": () => import("./plan/start-prompt.ts"),
  "plan complete-prompt": () => import("./plan/complete-prompt.ts"),
  "plan set-prompt-status": () => import("./plan/set-prompt-status.ts"),
  "plan block-findings-gate": () => import("./plan/block-findings-gate.ts"),
  "plan block-plan-gate": () => import("./plan/block-plan-gate.ts"),
  "plan block-prompt-testing-gate": () => import("./plan/block-prompt-testing-gate.ts"),
  "plan block-prompt-variants-gate": () => import("./plan/block-prompt-variants-gate.ts"),
  "plan block-debugging-logging-gate": () => import("./plan/block-debugging-logging-gate.ts"),
  "plan append-user-input": () => import("./plan/append-user-input.ts"),
};
