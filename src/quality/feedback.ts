// What an agent is told after gates have failed: the same agent goes on, a fresh one needs the whole story.
import { type Feedback, type Finding, type GateResult, PRIORITIES, PRIORITY_NAMES } from "../../schemas/quality.ts";
import { visibleLine, visibleText } from "../system/visible-text.ts";
import { failsGate } from "./findings.ts";

export interface NextAgentInput {
  task: { id: string; title?: string };
  iteration: number;
  maxIterations: number;
  feedback: readonly Feedback[];
  workSummary?: string;
  filesModified?: readonly string[];
  /** Shows the change so far. */
  diffCommand: string;
}

export function feedbackOf({ name, findings, summary }: GateResult): Feedback {
  const grave = findings.filter((finding) => failsGate([finding]));
  const action = grave.length
    ? `Mend the ${grave.length === 1 ? "critical or major finding" : `${grave.length} critical and major findings`} of \`${name}\`; the others are optional.`
    : `Do what \`${name}\` asks for.`;
  return { gate_name: name, findings, summary, suggested_action: `${action} Then say that you are done: all gates run again.` };
}

/** Of a round: one for each gate that failed. */
export const feedbackOfRound = (results: readonly GateResult[]): Feedback[] =>
  results.filter(({ outcome }) => outcome === "failed").map(feedbackOf);

export function renderFeedback({ gate_name, findings, summary, suggested_action }: Feedback): string {
  const groups = PRIORITIES.map((priority) => ({ priority, group: findings.filter((finding) => finding.priority === priority) }))
    .filter(({ group }) => group.length)
    .map(({ priority, group }) => `### ${priority} ${PRIORITY_NAMES[priority]}\n\n${group.map(renderFinding).join("\n")}`);
  return [`## Gate \`${gate_name}\` failed`, visibleText(summary), ...groups, `**Next:** ${suggested_action}`].join("\n\n");
}

function renderFinding({ location, issue, suggestion }: Finding): string {
  const place = location
    ? `\`${visibleLine([location.file, location.line, location.line && location.column].filter(Boolean).join(":"))}\` `
    : "";
  const advice = suggestion ? `\n  Suggestion: ${indented(suggestion)}` : "";
  return `- ${place}${indented(issue)}${advice}`;
}

/** A text of several lines stays inside its list item, output of commands word for word. */
const indented = (text: string) => visibleText(text).split("\n").join("\n  ");

export function promptForSame({ task, iteration, maxIterations, feedback }: NextAgentInput): string {
  return join(
    `# Gates failed for ${named(task)} (round ${iteration} of ${maxIterations})`,
    "Your workspace is as you left it. Go on from there: mend what follows, nothing else, and signal that you are done again.",
    ...feedback.map(renderFeedback),
  );
}

export function promptForFresh(input: NextAgentInput): string {
  const { task, iteration, maxIterations, feedback, workSummary, filesModified = [], diffCommand } = input;
  return join(
    `# Take over ${named(task)} (round ${iteration} of ${maxIterations} failed)`,
    "Another agent has worked on this task. Its changes are in the workspace; the gates below do not pass. Read the change first, then mend what is named.",
    workSummary ? `## What was done\n\n${visibleText(workSummary)}` : "",
    filesModified.length ? `## Files modified\n\n${filesModified.map((file) => `- \`${visibleLine(file)}\``).join("\n")}` : "",
    `## See the change\n\n\`\`\`sh\n${diffCommand}\n\`\`\``,
    ...feedback.map(renderFeedback),
  );
}

const named = ({ id, title }: NextAgentInput["task"]) => (title ? `task ${id}: ${visibleLine(title)}` : `task ${id}`);
const join = (...parts: string[]) => `${parts.filter(Boolean).join("\n\n")}\n`;

/** The same findings at the same places, however long the run took and whatever was printed around them. */
export const sameFeedback = (a: readonly Feedback[], b: readonly Feedback[]): boolean => fingerprint(a) === fingerprint(b);

/** Times and counters in a command's output differ from run to run. */
const fingerprint = (feedback: readonly Feedback[]) =>
  JSON.stringify(
    feedback.map(({ gate_name, findings }) => [
      gate_name,
      findings.map(({ priority, location, issue }) => [priority, location?.file, issue.replace(/\d+/g, "0")]),
    ]),
  );
