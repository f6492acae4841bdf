// What an agent reads after its gates have run.
import type { GateResult } from "../../schemas/quality.ts";
import { type NextAgentInput, promptForFresh, promptForSame } from "./feedback.ts";
import { resultsOf } from "./rounds.ts";
import type { Advanced } from "./task-run.ts";

export type RunOutcome = "passed" | "failed" | "error" | "stuck";

export function outcomeOf({ end, state }: Pick<Advanced, "end" | "state">): RunOutcome {
  if (end.kind === "end" && end.outcome !== "failed") return end.outcome;
  return state.phase === "stuck" ? "stuck" : "failed";
}

/** `stuck`: where a person decides how it goes on. */
export function reportRun(advanced: Advanced, stuck?: { gate_id: string; file: string }) {
  const { end, state, task, gates, outputFolder } = advanced;
  const outcome = outcomeOf(advanced);
  const results = end.kind === "end" ? end.results : state.last ? resultsOf(state.last) : [];
  const nextAgent = outcome === "failed" && state.phase === "needs_fixes" ? nextAgentOf(advanced) : undefined;
  return {
    task_id: task.task_id,
    outcome,
    phase: state.phase,
    iteration: state.iteration,
    gates: results.map(({ name, outcome: became, duration_ms, findings, summary }) => ({
      name,
      outcome: became,
      duration_ms,
      findings,
      summary,
    })),
    feedback: outcome === "failed" || outcome === "stuck" ? state.feedback : [],
    next_agent: nextAgent,
    ...(stuck ? { stuck } : {}),
    proceed: outcome === "passed",
    summary: summaryOf(outcome, advanced, results),
    next: nextOf(outcome, advanced, stuck?.gate_id),
    warnings: gates.warnings,
    output: results.length ? outputFolder : undefined,
  };
}

function nextAgentOf({ state, task, retry, change }: Advanced): { kind: "same" | "fresh"; prompt: string } {
  const kind = state.last?.next_agent ?? "same";
  const input: NextAgentInput = {
    task: { id: task.task_id, ...(task.title === undefined ? {} : { title: task.title }) },
    iteration: state.iteration,
    maxIterations: retry.max_iterations,
    feedback: state.feedback,
    ...(state.work_summary === undefined ? {} : { workSummary: state.work_summary }),
    filesModified: change.files,
    diffCommand: change.command,
  };
  return { kind, prompt: kind === "fresh" ? promptForFresh(input) : promptForSame(input) };
}

function summaryOf(outcome: RunOutcome, { state, retry, gates }: Advanced, results: readonly GateResult[]): string {
  const named = (wanted: GateResult["outcome"]) => results.filter(({ outcome: became }) => became === wanted).map(({ name }) => name);
  switch (outcome) {
    case "passed":
      return gates.gates.length ? `All gates passed in round ${state.iteration}.` : "No gates are configured, so nothing was checked.";
    case "error":
      return `No verdict, and no round used up: ${results
        .filter(({ outcome: became }) => became === "error")
        .map(({ name, summary }) => `${name}: ${summary}`)
        .join("; ")}`;
    case "stuck":
      return `${retry.max_iterations} rounds have failed; a person decides how it goes on.`;
    case "failed":
      return state.phase === "failed"
        ? "The task has failed: no round is left."
        : `Round ${state.iteration} of ${retry.max_iterations} failed: ${named("failed").join(", ")}.`;
  }
}

function nextOf(outcome: RunOutcome, { state, task }: Advanced, stuckId: string | undefined): string {
  const again = `envoy gates run --task ${task.task_id}`;
  switch (outcome) {
    case "passed":
      return `Task ${task.task_id} is ready to merge.`;
    case "error":
      return `Mend what kept the gates from running, then run \`${again}\`; finished gates keep their result while the work is unchanged.`;
    case "stuck":
      return `Stop. To hear the decision: \`envoy wait ${stuckId ?? `${task.task_id}_stuck`}\`.`;
    case "failed":
      if (state.phase === "failed") return "Leave the task.";
      return state.last?.next_agent === "fresh"
        ? "Hand next_agent.prompt to a fresh agent."
        : `Mend what the feedback names, then run \`envoy checkpoint --task ${task.task_id} --done\`.`;
  }
}
