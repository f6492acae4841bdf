// The command line: finds the command, runs it, prints one JSON document, answers with the exit code.
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { COMMANDS } from "../../../commands/index.ts";
import { EnvoyError } from "../../../schemas/errors.ts";
import { readEnvironment } from "../../system/environment.ts";
import { nearestName } from "../../system/nearest-name.ts";
import { visibleJson, visibleText } from "../../system/visible-text.ts";
import { type Envelope, dataEnvelope, errorEnvelope } from "./envelope.ts";

export interface Terminal {
  argv: string[];
  variables: NodeJS.ProcessEnv;
  cwd: () => string;
  version: string;
  /** Where the ready-made help texts lie. */
  helpFolder: string;
  isTerminal: boolean;
  stdin: () => Promise<Buffer>;
  prompt?: (question: string) => Promise<string>;
  print: (text: string) => Promise<void>;
  note: (line: string) => void;
  interruption: () => AbortSignal;
}

interface Answer {
  text: string;
  code: number;
  delivered?: (() => Promise<void>) | undefined;
}

export async function main(terminal: Terminal): Promise<number> {
  const { text, code, delivered } = await answer(terminal);
  await terminal.print(text);
  // The reader has the result. Where that cannot be recorded, the next run delivers it once more.
  await delivered?.().catch((error: unknown) => terminal.note(`envoy: ${asEnvoyError(error, terminal.version).message}`));
  return code;
}

async function answer(terminal: Terminal): Promise<Answer> {
  try {
    const ready = readyMade(terminal);
    return ready === undefined ? await runCommand(terminal) : { text: ready, code: 0 };
  } catch (thrown) {
    const error = asEnvoyError(thrown, terminal.version);
    if (error.type === "internal" && thrown instanceof Error) terminal.note(visibleText(`${thrown.stack}`));
    if (isHook(terminal.argv)) {
      terminal.note(visibleText(`envoy: ${error.message} ${error.suggestion}`));
      return { text: "", code: HOOK_DENIES };
    }
    return { text: json(errorEnvelope(error), terminal.isTerminal), code: error.exitCode };
  }
}

/** The one exit code that a harness takes for a refusal; after any other it would go on. */
export const HOOK_DENIES = 2;
export const isHook = (argv: string[]): boolean => skipGlobals(argv).rest[0] === "hook";

async function runCommand(terminal: Terminal): Promise<Answer> {
  const { leading, name, rest } = findCommand(terminal.argv);
  const { parseWords } = await import("./parse.ts");
  const { command } = await COMMANDS[name]!();
  const { input, json: wantsJson, directory } = parseWords(name, command, [...leading, ...rest]);
  const context = {
    cwd: startDirectory(terminal.cwd, directory),
    environment: readEnvironment(terminal.variables),
    note: (line: string) => terminal.note(visibleText(line)),
    stdin: terminal.stdin,
    ...(terminal.prompt ? { prompt: terminal.prompt } : {}),
    interruption: terminal.interruption,
    ...(directory === undefined ? {} : { directory }),
  };
  const reply = await command.run(input, context);
  const { exitCode = 0, delivered, raw } = reply;
  if (raw) {
    if (raw.stderr) context.note(raw.stderr.trimEnd());
    return { text: raw.stdout, code: exitCode, delivered };
  }
  if (!reply.table || !terminal.isTerminal || wantsJson)
    return { text: json(dataEnvelope(reply.status ?? "success", reply.data), terminal.isTerminal), code: exitCode, delivered };
  const { renderTable } = await import("./table.ts");
  return { text: renderTable(reply.table, !context.environment.NO_COLOR), code: exitCode, delivered };
}

/** Agents pay per token: indented only where a person reads. */
const json = (envelope: Envelope, indented: boolean) => `${visibleJson(JSON.stringify(envelope, null, indented ? 2 : 0))}\n`;

/** Help and version load nothing and look at nothing. */
function readyMade({ argv, version, helpFolder }: Terminal): string | undefined {
  const words = beforeDashes(argv);
  if (words.includes("--version") || words[0] === "-V") return `${version}\n`;
  const asks = words.includes("--help") || words.includes("-h") || words[0] === "help";
  if (!asks) return undefined;
  const topics = skipGlobals(words).rest.filter((word, i) => !(i === 0 && word === "help") && !word.startsWith("-"));
  for (let length = Math.min(2, topics.length); length >= 0; length--) {
    const topic = topics.slice(0, length).join(" ");
    if (topic === "" && topics.length > 0) throw unknownCommand(topics.join(" "));
    if (topic === "" || topic in COMMANDS || isGroup(topic))
      return readFileSync(`${helpFolder}/${topic.replace(" ", "-") || "envoy"}.txt`, "utf8");
  }
  return undefined;
}

const beforeDashes = (argv: string[]) => (argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv);
const isGroup = (word: string) => Object.keys(COMMANDS).some((name) => name.startsWith(`${word} `));

function skipGlobals(argv: string[]): { leading: string[]; rest: string[] } {
  let i = 0;
  while (argv[i] === "--json" || argv[i] === "-C" || argv[i]?.startsWith("-C=")) i += argv[i] === "-C" ? 2 : 1;
  return { leading: argv.slice(0, i), rest: argv.slice(i) };
}

function findCommand(argv: string[]): { leading: string[]; name: string; rest: string[] } {
  const { leading, rest } = skipGlobals(argv);
  for (const length of [2, 1]) {
    const name = rest.slice(0, length).join(" ");
    if (Object.hasOwn(COMMANDS, name)) return { leading, name, rest: rest.slice(length) };
  }
  throw unknownCommand(rest.slice(0, isGroup(rest[0] ?? "") ? 2 : 1).join(" "));
}

function unknownCommand(given: string): EnvoyError {
  const near = isGroup(given) ? `${given} --help` : nearestName(given, Object.keys(COMMANDS));
  return new EnvoyError("unknown_command", { given, ...(near ? { nearest: near } : {}) });
}

function startDirectory(cwd: () => string, directory: string | undefined): string {
  let current: string;
  try {
    current = cwd();
  } catch {
    throw new EnvoyError("directory_not_found", { directory: ".", flag: "The current directory" });
  }
  if (directory === undefined) return current;
  const path = resolve(current, directory);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new EnvoyError("directory_not_found", { directory, flag: "-C" });
  return path;
}

const DISK_TROUBLE = new Set(["ENOSPC", "EACCES", "EPERM", "EROFS", "EIO", "EDQUOT", "EMFILE", "ENFILE", "ENOTDIR", "EISDIR", "ELOOP"]);

/** Expected failures are EnvoyErrors already; the disk's own are named; the rest are bugs. */
function asEnvoyError(thrown: unknown, version: string): EnvoyError {
  if (thrown instanceof EnvoyError) return thrown;
  const { code, path, syscall } = thrown as NodeJS.ErrnoException;
  if (code && DISK_TROUBLE.has(code)) return new EnvoyError("io_failed", { path: path ?? "envoy's files", code, action: syscall ?? "use" });
  return new EnvoyError("internal", { reason: thrown instanceof Error ? thrown.message : String(thrown), version });
}
