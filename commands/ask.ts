import { EnvoyError } from "../schemas/errors.ts";
import { ASKED_FOR, PLAIN_KINDS, QUESTION_TYPES, ROLES, TIMEOUT_POLICIES } from "../schemas/question-words.ts";
import type { House } from "../src/gate/house.ts";
import { newGateId } from "../src/gate/open.ts";
import { waitForGate } from "../src/gate/wait.ts";
import { type Asked, type Asking as AskedQuestion, askQuestion, attachTo } from "../src/questions/ask.ts";
import { beginOperation, noteQuestion, recordReply } from "../src/questions/operations.ts";
import { requireQuestion } from "../src/questions/state.ts";
import { derivedTask } from "../src/questions/task-records.ts";
import { readConfig } from "../src/stores/config.ts";
import { ensureProject } from "../src/stores/project.ts";
import { type AskInput, subjectFrom } from "./ask-input.ts";
import { type Context, type Positional, type Reply, defineCommand } from "./command.ts";
import { choice, repeated, text, toggle } from "./flags.ts";
import { waitOptions } from "./gate-command.ts";
import { durationOrNever, waitFlags } from "./gate-flags.ts";
import { type Asking, announce, ended, fileOf, replyTo } from "./gate-reply.ts";
import { openSettledHouse } from "./settled-house.ts";
import { markTaken } from "./taken.ts";
import { whoAsks, whoFlags } from "./who-asks.ts";

const question: Positional<string> = {
  usage: "<question>",
  help: "what a person is to decide",
  take(queue, command) {
    const given = queue.shift();
    if (!given?.trim()) throw new EnvoyError("missing_argument", { name: "a question", command, rule: "a text that is not empty" });
    return given;
  },
};

const { wait, "on-invalid": onInvalid, "require-approval": requireApproval } = waitFlags();

export const command = defineCommand({
  summary: "Ask a person one question, and wait for the answer",
  details:
    "BLOCKING and ESCALATION halt the asking agent, APPROVAL its session too, EMERGENCY everyone; the other types nobody. Asking the same again attaches to the same question.",
  positionals: { question },
  flags: {
    ...whoFlags(),
    role: choice(ROLES, "in which role the agent asks"),
    type: choice(QUESTION_TYPES, "what kind of question; default: BLOCKING"),
    halts: choice(["session", "all"], "halt more than the type does"),
    "question-type": choice(ASKED_FOR, "what the answer is needed for"),
    context: text("what the person must know to decide", "TEXT|@FILE|-"),
    details: text("further data for whoever reads the record", "JSON"),
    confidence: text("how sure the agent is of its own answer, 0 to 1", "NUMBER"),
    choice: repeated("one of the possible answers; may be given several times"),
    multi: toggle("several choices may be chosen"),
    recommend: text("the choice the agent would take"),
    kind: choice(PLAIN_KINDS, "what the answer is; default: text"),
    schema: text("a JSON Schema that the answer must fit", "FILE"),
    default: text("the answer that counts with `--on-timeout default`", "VALUE"),
    timeout: durationOrNever("when it expires, from now; default: 15m, or the configuration"),
    "on-timeout": choice(TIMEOUT_POLICIES, "what expiry means; default: block, or the configuration"),
    "operation-id": text("repeating it with this id gives the same reply, whatever happened", "ID"),
    "no-wait": toggle("return at once"),
    wait,
    "on-invalid": onInvalid,
    "require-approval": requireApproval,
  },
  example: `envoy ask "Which database?" --choice Postgres --choice SQLite --recommend SQLite --wait 9m`,
  async run(input, context) {
    const house = await openSettledHouse(context);
    const { human_input: settings } = (await readConfig(house.project.directory)).config;
    if (!settings.enabled) throw new EnvoyError("unsupported_operation", { operation: "Asking a person" });
    const who = whoAsks(context, input);
    const onTimeout = input["on-timeout"] ?? settings.on_timeout;
    const subject = await subjectFrom(input, who, { context, onTimeout });
    const operation = input["operation-id"];
    const asked: AskedQuestion = {
      subject: { ...subject, ...(operation === undefined ? {} : { operation_id: operation }) },
      timeoutMs: input.timeout === undefined ? (settings.timeoutMs ?? null) : input.timeout,
      timeoutGiven: input.timeout !== undefined,
      maxOpenPerTask: settings.max_open_questions_per_task,
    };
    await ensureProject(house.project);
    const asking: Asking = {
      house,
      context,
      flags: { ...input, timeout: undefined },
      resume: (id) => `wait ${id}`,
      again: "ask",
    };
    if (operation === undefined) return reply(await askQuestion(house, asked), asking, input);
    return once(house, operation, { asked, asking, input });
  },
});

type Flags = AskInput & { "no-wait": boolean; "operation-id": string | undefined };

/** The same operation leads to the same question, and its first reply is repeated word by word. */
async function once(house: House, id: string, call: { asked: AskedQuestion; asking: Asking; input: Flags }): Promise<Reply> {
  const { asked, asking, input } = call;
  const payload = ["ask", asked.subject, input["no-wait"]];
  const operation = await beginOperation(house, { id, payload, candidate: newGateId("q_") });
  if (operation.replied) return operation.replied;
  const known =
    operation.questionId ??
    ((await house.records.read({ kind: "question", id: operation.candidate })).length ? operation.candidate : undefined);
  const found = known === undefined ? undefined : await attachedBefore(house, known, asked);
  const result = found ?? (await askQuestion(house, { ...asked, id: operation.candidate }));
  await noteQuestion(house, id, result.gate.id);
  const told = await reply(result, asking, input);
  if (told.status === "pending") return told;
  const recorded = await recordReply(house, id, { data: told.data, exitCode: told.exitCode ?? 0 });
  return { ...told, ...recorded };
}

/** Also a question whose answer has reached somebody else meanwhile. */
async function attachedBefore(house: House, id: string, asked: AskedQuestion): Promise<Asked> {
  const { requireGate } = await import("../src/gate/house.ts");
  return (await attachTo(house, id, asked)) ?? { gate: await requireGate(house, id), how: "answered before" };
}

async function reply({ gate, how }: Asked, asking: Asking, input: Flags): Promise<Reply> {
  const { house, context, flags } = asking;
  if (input["no-wait"]) return { data: await opened(house, gate.id, fileOf(house, gate)) };
  if (gate.end) return delivered(ended(gate, asking), asking, gate.id);
  announce(gate, asking, how === "opened" ? "asked" : "attached to");
  const waited = await waitForGate(house, gate, waitOptions(context as Context, flags));
  return delivered(replyTo(waited, asking), asking, gate.id);
}

/** Who asked and waited has the answer: no other worker is to be fed with it. */
function delivered(told: Reply, { house }: Asking, id: string): Reply {
  if (told.status === "pending") return told;
  return {
    ...told,
    async delivered() {
      await told.delivered?.();
      await markTaken(house, id);
    },
  };
}

async function opened(house: House, id: string, file: string): Promise<object> {
  const { status, task_id } = await requireQuestion(house, id);
  const task = task_id === undefined ? undefined : await derivedTask(house, task_id);
  return { question_id: id, question_status: status, task_status: task?.status, resume_status: task?.resume_status, file };
}
