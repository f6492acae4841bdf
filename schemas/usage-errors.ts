// What is wrong with a command line.
import { EXIT, define } from "./error-definition.ts";

const help = (command: string) => `Run \`envoy ${command ? `${command} ` : ""}--help\`.`;
const nearest = (name: string | undefined, otherwise: string) => (name ? `Did you mean \`${name}\`?` : otherwise);

export const USAGE_ERRORS = {
  unknown_command: define<{ given: string; nearest?: string }>({
    exit: EXIT.usage,
    when: "the words after `envoy` name no command",
    message: (p) => (p.given ? `There is no command \`envoy ${p.given}\`.` : "No command was given."),
    suggestion: (p) => nearest(p.nearest && `envoy ${p.nearest}`, "Run `envoy --help` for the list."),
  }),
  unknown_flag: define<{ flag: string; command: string; nearest?: string }>({
    exit: EXIT.usage,
    when: "a command does not take this flag",
    message: (p) => `\`envoy ${p.command}\` has no flag \`${p.flag}\`.`,
    suggestion: (p) => nearest(p.nearest, help(p.command)),
  }),
  missing_argument: define<{ name: string; command: string; rule?: string }>({
    exit: EXIT.usage,
    when: "an argument or flag that the command needs was not given",
    message: (p) => `\`envoy ${p.command}\` needs ${p.name}${p.rule ? `: ${p.rule}` : ""}.`,
    suggestion: (p) => help(p.command),
  }),
  invalid_argument: define<{ name: string; given: string; rule: string; command?: string }>({
    exit: EXIT.usage,
    when: "an argument or flag has a value that it does not take",
    message: (p) => `${p.name} cannot be ${JSON.stringify(p.given)}: it must be ${p.rule}.`,
    suggestion: (p) => (p.command ? help(p.command) : "Give a value that follows the rule and run the command again."),
  }),
  unexpected_argument: define<{ given: string; command: string }>({
    exit: EXIT.usage,
    when: "more arguments were given than the command takes",
    message: (p) => `\`envoy ${p.command}\` does not take the argument ${JSON.stringify(p.given)}.`,
    suggestion: (p) => `Quote texts that contain spaces. ${help(p.command)}`,
  }),
  conflicting_flags: define<{ flags: string; command: string }>({
    exit: EXIT.usage,
    when: "flags that exclude each other were given together",
    message: (p) => `${p.flags} cannot be given together.`,
    suggestion: (p) => help(p.command),
  }),
  invalid_environment: define<{ variable: string; given: string; rule: string }>({
    exit: EXIT.usage,
    when: "an environment variable that envoy reads has a value it does not take",
    message: (p) => `The environment variable ${p.variable} cannot be ${JSON.stringify(p.given)}: it must be ${p.rule}.`,
    suggestion: (p) => `Correct or unset ${p.variable}.`,
  }),
  directory_not_found: define<{ directory: string; flag: string }>({
    exit: EXIT.usage,
    when: "`-C` names no directory",
    message: (p) => `${p.flag} names ${JSON.stringify(p.directory)}, which is not a directory.`,
    suggestion: () => "Give the path of an existing directory.",
  }),
  input_unreadable: define<{ source: string; reason: string }>({
    exit: EXIT.usage,
    when: "`--input` names a file that cannot be read, or nothing arrived",
    message: (p) => `The input ${p.source} could not be read: ${p.reason}.`,
    suggestion: () => "Give an existing UTF-8 text file, or `--input -` and pipe the text in.",
  }),
};
