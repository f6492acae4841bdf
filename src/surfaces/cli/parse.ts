// The only file that touches yargs: from words to the input of one command.
import { Parser } from "yargs/helpers";
import type { Command, Flag } from "../../../commands/command.ts";
import { EnvoyError } from "../../../schemas/errors.ts";
import { nearestName } from "../../system/nearest-name.ts";

export interface Parsed {
  input: Record<string, unknown>;
  json: boolean;
  directory?: string;
}

const CONFIGURATION = {
  "boolean-negation": false,
  "camel-case-expansion": false,
  "dot-notation": false,
  "duplicate-arguments-array": true,
  "flatten-duplicate-arrays": true,
  "greedy-arrays": false,
  "parse-numbers": false,
  "parse-positional-numbers": false,
  "short-option-groups": false,
};

export function parseWords(name: string, command: Command, words: string[]): Parsed {
  const kinds = flagKinds(command);
  const names = Object.keys(kinds);
  const {
    _: positionals,
    "--": _dashes,
    ...given
  } = Parser(joinValues(words, kinds, name), {
    string: names,
    configuration: CONFIGURATION,
  });
  for (const flag of Object.keys(given)) if (!(flag in kinds)) throw unknownFlag(flag, { command: name, names, words });

  const values = (flag: string): string[] => {
    const value = given[flag];
    const all = value === undefined ? [] : [value].flat().map(String);
    if (all.length > 1 && kinds[flag] === "value")
      throw new EnvoyError("conflicting_flags", { flags: `Two values for ${dashed(flag)}`, command: name });
    return all;
  };
  const queue = positionals.map(String);
  const input: Record<string, unknown> = {};
  for (const [key, positional] of Object.entries(command.positionals)) input[key] = positional.take(queue, name);
  if (queue[0] !== undefined) throw new EnvoyError("unexpected_argument", { given: queue[0], command: name });
  for (const [flag, { read }] of Object.entries(command.flags)) input[flag] = read(values(flag), { name: flag, command: name });
  const [directory] = values("C");
  return { input, json: values("json").at(-1) === "true", ...(directory === undefined ? {} : { directory }) };
}

type Kinds = Record<string, Flag<unknown>["kind"]>;
const flagKinds = (command: Command): Kinds => ({
  ...Object.fromEntries(Object.entries(command.flags).map(([flag, { kind }]) => [flag, kind])),
  json: "switch",
  C: "value",
});

const dashed = (flag: string) => (flag.length === 1 ? `-${flag}` : `--${flag}`);

/** Each flag gets its value tied to it before yargs can take a text that begins with a dash (`--context "- first"`) for a flag. */
function joinValues(words: string[], kinds: Kinds, command: string): string[] {
  const known = new Set(Object.keys(kinds).map(dashed));
  const joined: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === "--") return [...joined, ...words.slice(i)];
    const flag = known.has(word) ? word.replace(/^--?/, "") : undefined;
    if (flag === undefined) joined.push(word);
    else if (kinds[flag] === "switch") joined.push(`${word}=true`);
    else {
      const value = words[++i];
      if (value === undefined || known.has(value)) throw new EnvoyError("missing_argument", { name: `a value after ${word}`, command });
      joined.push(`${word}=${value}`);
    }
  }
  return joined;
}

function unknownFlag(flag: string, { command, names, words }: { command: string; names: string[]; words: string[] }): EnvoyError {
  const near = nearestName(flag, names);
  const typed = words.find((word) => word.replace(/^--?/, "").split("=")[0] === flag) ?? dashed(flag);
  return new EnvoyError("unknown_flag", { flag: typed.split("=")[0]!, command, ...(near ? { nearest: dashed(near) } : {}) });
}
