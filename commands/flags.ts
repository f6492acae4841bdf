import { EnvoyError } from "../schemas/errors.ts";
import type { Flag } from "./command.ts";

export const text = (help: string, value = "TEXT"): Flag<string | undefined> => ({
  kind: "value",
  value,
  help,
  read: (given) => given[0],
});

export const requiredText = (help: string, value = "TEXT"): Flag<string> => ({
  kind: "value",
  value,
  help,
  read: ([given], { name, command }) => {
    if (!given?.trim()) throw new EnvoyError("missing_argument", { name: `--${name}`, command, rule: help });
    return given;
  },
});

export const toggle = (help: string): Flag<boolean> => ({
  kind: "switch",
  help,
  read: (given, about) => optionalToggle(help).read(given, about) ?? false,
});

/** Tells "not given" from `--flag=false`. */
export const optionalToggle = (help: string): Flag<boolean | undefined> => ({
  kind: "switch",
  help,
  read: (given, { name, command }) => {
    const last = given.at(-1);
    if (last === undefined) return undefined;
    if (last === "true" || last === "false") return last === "true";
    throw new EnvoyError("invalid_argument", { name: `--${name}`, given: last, rule: "given alone, or with `=true` or `=false`", command });
  },
});

export const repeated = (help: string, value = "TEXT"): Flag<string[]> => ({ kind: "repeated", value, help, read: (given) => given });

/** `--files a,b`: one value with commas, or the flag several times. */
export const list = (help: string): Flag<string[] | undefined> => ({
  kind: "repeated",
  value: "a,b",
  help,
  read: (given) => (given.length ? splitList(given) : undefined),
});

export const numbers = (help: string): Flag<number[] | undefined> => ({
  kind: "repeated",
  value: "1,2",
  help,
  read: (given, { name, command }) =>
    given.length
      ? splitList(given).map((item) => {
          if (!/^[1-9][0-9]{0,8}$/.test(item)) {
            throw new EnvoyError("invalid_argument", {
              name: `--${name}`,
              given: item,
              rule: "positive whole numbers, separated by commas",
              command,
            });
          }
          return Number(item);
        })
      : undefined,
});

export const choice = <const T extends string>(choices: readonly T[], help: string): Flag<T | undefined> => ({
  kind: "value",
  value: choices.join("|"),
  help,
  read: ([given], { name, command }) => {
    if (given === undefined) return undefined;
    if (!(choices as readonly string[]).includes(given)) {
      throw new EnvoyError("invalid_argument", { name: `--${name}`, given, rule: `one of ${choices.join(", ")}`, command });
    }
    return given as T;
  },
});

export const requiredChoice = <const T extends string>(choices: readonly T[], help: string): Flag<T> => ({
  ...choice(choices, help),
  read: (given, about) => {
    const chosen = choice(choices, help).read(given, about);
    if (chosen === undefined)
      throw new EnvoyError("missing_argument", { name: `--${about.name}`, command: about.command, rule: `one of ${choices.join(", ")}` });
    return chosen;
  },
});

/** Every command on a plan takes it. */
export const planDir = (): Flag<string | undefined> => text("the plan's folder, instead of the current branch's plan", "PATH");

/** Every write command takes its long text so, because agents truncate long arguments. */
export const input = (help: string): Flag<string | undefined> => text(`${help}, from a file, or from stdin with \`-\``, "FILE|-");

const splitList = (given: string[]) =>
  given
    .flatMap((item) => item.split(","))
    .map((item) => item.trim())
    .filter((item) => item !== "");
