// The halts as a class for programs: asks and changes the same records as the command line, and hears of what others do.
import { EventEmitter } from "node:events";
import type { House } from "../gate/house.ts";
import { inOrder } from "../system/in-order.ts";
import { type Clearance, waitForClearance, watchState } from "./clearance.ts";
import { type HaltReason, type HaltScope, type HaltStatus, type State, haltReasons, haltStatus } from "./halts.ts";
import { halt, readHalt, resume } from "./halting.ts";
import { type Place, openHouse } from "./open-house.ts";
import type { Question } from "./question.ts";
import { settleQuestions } from "./settle.ts";
import { readQuestion, readState } from "./state.ts";

export interface HaltedEvent {
  question?: Question;
  reason: string;
}
export interface ResumedEvent {
  questionId?: string;
  answer?: unknown;
}
export interface ExecutionGateEvents {
  "agent:halted": [HaltedEvent & { agentId: string }];
  "agent:resumed": [ResumedEvent & { agentId: string }];
  "session:halted": [HaltedEvent & { sessionId: string }];
  "session:resumed": [ResumedEvent & { sessionId: string }];
  "system:halted": [HaltedEvent];
  "system:resumed": [ResumedEvent];
  error: [unknown];
}

type Named = Exclude<HaltScope, "task">;
interface Standing {
  scope: Named;
  id: string;
  why: HaltReason[];
}

export class ExecutionGate extends EventEmitter<ExecutionGateEvents> {
  readonly #house: Promise<House>;
  readonly #by: string;
  #standing = new Map<string, Standing>();
  #looking: Promise<void> = Promise.resolve();
  #started: Promise<() => Promise<void>> | undefined;

  constructor({ by = "program", ...place }: Place & { by?: string } = {}) {
    super();
    this.#house = openHouse(place);
    this.#house.catch(() => undefined); // told by whatever is called first
    this.#by = by;
  }

  /** Begins to hear of halts and resumptions, whoever makes them; from then on there are events. Harmless to repeat. */
  async start(): Promise<void> {
    this.#started ??= this.#watch();
    await this.#started;
  }

  /** Lets the program end. */
  async stop(): Promise<void> {
    await (
      await this.#started
    )?.();
    await this.#looking;
    this.#started = undefined;
  }

  async canProceed(agentId: string, sessionId?: string): Promise<boolean> {
    const house = await this.#settled();
    return haltReasons(await readState(house), { agent: agentId, session: sessionId }).length === 0;
  }

  /** Without a time it waits as long as it takes; an expired question still halts. */
  async waitForClearance(agentId: string, sessionId?: string, timeoutMs?: number): Promise<Clearance> {
    const until = timeoutMs === undefined ? undefined : new Date(Date.now() + timeoutMs);
    return waitForClearance(await this.#house, { agent: agentId, session: sessionId }, { until });
  }

  async getHaltStatus(): Promise<HaltStatus> {
    return haltStatus(await readState(await this.#settled()));
  }

  override on<K extends keyof ExecutionGateEvents>(event: K, listener: (...given: ExecutionGateEvents[K]) => void): this {
    void this.start().catch((error: unknown) => this.emit("error", error));
    return super.on(event, listener as never);
  }

  haltAgent = (agentId: string, questionOrReason: string) => this.#halt("agent", agentId, questionOrReason);
  haltSession = (sessionId: string, questionOrReason: string) => this.#halt("session", sessionId, questionOrReason);
  haltAll = (questionOrReason: string) => this.#halt("all", "", questionOrReason);
  resumeAgent = (agentId: string, answer?: string) => this.#resume("agent", agentId, answer);
  resumeSession = (sessionId: string, answer?: string) => this.#resume("session", sessionId, answer);
  resumeAll = (answer?: string) => this.#resume("all", "", answer);

  /** A question that was created elsewhere halts by its record; this only makes the events come at once. */
  async onQuestionCreated(_question: Pick<Question, "question_id">): Promise<void> {
    await this.#look();
  }

  async onQuestionAnswered(..._told: [questionId: string, agentId: string, sessionId?: string, answer?: unknown]): Promise<void> {
    await this.#look();
  }

  async #settled(): Promise<House> {
    const house = await this.#house;
    await settleQuestions(house);
    return house;
  }

  async #halt(scope: Named, id: string, given: string): Promise<void> {
    const house = await this.#house;
    const question = /^q_[0-9a-z]+$/.test(given) ? await readQuestion(house, given) : undefined;
    const about = question ? { reason: question.prompt, questionId: question.question_id } : { reason: given };
    await halt(house, { scope, id }, { by: this.#by, ...about });
    await this.#look();
  }

  async #resume(scope: Named, id: string, answer?: string): Promise<void> {
    await resume(await this.#house, { scope, id }, { by: this.#by, ...(answer === undefined ? {} : { answer }) });
    await this.#look();
  }

  async #watch(): Promise<() => Promise<void>> {
    const house = await this.#house;
    this.#standing = standingOf(await readState(house));
    return watchState(house, () => void this.#look().catch((error: unknown) => this.emit("error", error)));
  }

  /** One after the other, so that each change raises its event once. */
  #look(): Promise<void> {
    const next = this.#looking.then(() => this.#compare());
    this.#looking = next.catch(() => undefined);
    return next;
  }

  async #compare(): Promise<void> {
    if (!this.#started) return;
    const house = await this.#settled();
    const before = this.#standing;
    this.#standing = standingOf(await readState(house));
    for (const [key, standing] of this.#standing) if (!before.has(key)) await this.#tellHalted(house, standing);
    for (const [key, standing] of before) if (!this.#standing.has(key)) await this.#tellResumed(house, standing);
  }

  async #tellHalted(house: House, { scope, id, why }: Standing): Promise<void> {
    const [first] = why;
    const question = first?.question_id === undefined ? undefined : await readQuestion(house, first.question_id);
    const event = { reason: first?.reason ?? "", ...(question ? { question } : {}) };
    if (scope === "agent") this.emit("agent:halted", { agentId: id, ...event });
    else if (scope === "session") this.emit("session:halted", { sessionId: id, ...event });
    else this.emit("system:halted", event);
  }

  async #tellResumed(house: House, { scope, id, why }: Standing): Promise<void> {
    const event = await lastEnd(house, why);
    if (scope === "agent") this.emit("agent:resumed", { agentId: id, ...event });
    else if (scope === "session") this.emit("session:resumed", { sessionId: id, ...event });
    else this.emit("system:resumed", event);
  }
}

async function lastEnd(house: House, why: readonly HaltReason[]): Promise<ResumedEvent> {
  const last = why.toSorted((a, b) => inOrder(a.since, b.since)).at(-1);
  const manual = last?.halt_id === undefined ? undefined : (await readHalt(house, last.halt_id))?.resumed?.answer;
  const question = last?.question_id === undefined ? undefined : await readQuestion(house, last.question_id);
  const answer = manual ?? question?.answer;
  return { ...(question ? { questionId: question.question_id } : {}), ...(answer === undefined ? {} : { answer }) };
}

/** Every name that is halted, and why. */
function standingOf(state: State): Map<string, Standing> {
  const { systemHalted, haltedSessions, haltedAgents } = haltStatus(state);
  const all: Standing[] = [
    ...haltedAgents.map((id) => ({ scope: "agent" as const, id, why: haltReasons(state, { agent: id }) })),
    ...haltedSessions.map((id) => ({ scope: "session" as const, id, why: haltReasons(state, { agent: "", session: id }) })),
    ...(systemHalted ? [{ scope: "all" as const, id: "", why: haltReasons(state, { agent: "" }) }] : []),
  ];
  return new Map(all.map((standing) => [`${standing.scope} ${standing.id}`, standing]));
}
