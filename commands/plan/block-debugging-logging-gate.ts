import { LoggingGate } from "../../schemas/gates.ts";
import { type SubjectId, formatSubjectId, shortSubjectId, spokenSubjectId } from "../../schemas/names.ts";
import { defineGate } from "../../src/gate/gate.ts";
import { thoughts } from "../../src/gate/fields.ts";
import { requirePrompt } from "../../src/stores/prompts.ts";
import { gateCommand } from "../gate-command.ts";
import { subject } from "../positionals.ts";

interface Subject {
  prompt: SubjectId;
  description: string;
}

export const gate = defineGate(LoggingGate)({
  summary: "Ask a person to reproduce a fault and paste the logs",
  title: "LOGGING GATE",
  key: (id: SubjectId) => `${shortSubjectId(id)}_logging`,
  logs: true,
  async load({ plan }, id: SubjectId): Promise<{ subject: Subject }> {
    const { front } = await requirePrompt(plan, id);
    return { subject: { prompt: id, description: front.description ?? "" } };
  },
  template: ({ description }) => [
    {
      ...thoughts(),
      notes: description,
      help: ["Optional message to the agent. The logs go into the file beside this one, ending in _logs.md"],
    },
  ],
  decide(_answers, { prompt }, { logs }) {
    const id = formatSubjectId(prompt);
    return {
      changes: [],
      result: { logs },
      proceed: true,
      summary: logs ? `The person pasted logs for prompt ${id}.` : `The person has no logs for prompt ${id}.`,
      next: logs ? "Read the logs, then go on with the fix." : "Go on with what the person said.",
    };
  },
});

export const command = gateCommand(gate, {
  name: "plan block-debugging-logging-gate",
  positionals: { args: subject() },
  words: spokenSubjectId,
  example: "envoy plan block-debugging-logging-gate 3 --wait 9m",
});
