// Help texts, rendered once when the package is built; at run time they are only read.
import type { Command } from "../../../commands/command.ts";
import { EXIT } from "../../../schemas/errors.ts";

const EXIT_CODES = `Exit codes: ${EXIT.success} success · ${EXIT.bug} bug · ${EXIT.usage} wrong usage
  ${EXIT.state} project not in the needed state · ${EXIT.data} invalid data
  ${EXIT.outside} git, disk or another program failed · ${EXIT.notCleared} not cleared
  ${EXIT.pending} pending · ${EXIT.deadline} deadline passed · 129, 130, 143 ended by a signal`;

export function renderMainHelp(commands: string[]): string {
  const groups = [...new Set(commands.map((name) => (name.includes(" ") ? name.split(" ")[0]! : "")))];
  const lists = groups.map((group) => {
    const names = commands.filter((name) => (group ? name.startsWith(`${group} `) : !name.includes(" ")));
    return wrap(names.map((name) => name.slice(group.length).trim()).join(", "), group ? `  ${group} ` : "  ");
  });
  return `envoy asks a person and hands the decision back to the agent.

Usage: envoy [-C DIR] [--json] <command> …    (-C DIR: run as if started there)
       envoy <command> --help                 arguments and an example

${lists.join("\n")}

Each run prints one JSON document on stdout; what people read goes to stderr.
  {"status":"success","data":{…}}  a result; a person's "no" is a success too
  {"status":"pending","data":{…}}  nobody has answered yet; that is no consent:
                                   run data.resume to go on waiting
  {"status":"error","error":{…}}   do what error.suggestion says; error.type is
                                   stable, error.issues name file and line
Empty fields are left out. After a kill or timeout, run the same command again.

${EXIT_CODES}
`;
}

export function renderGroupHelp(group: string, commands: Record<string, Command>): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const rows = Object.entries(commands).map(([name, { summary }]) => `  envoy ${name.padEnd(width)}  ${summary}`);
  return `Usage: envoy ${group} <command>\n\n${rows.join("\n")}\n\nenvoy ${group} <command> --help shows arguments and an example.\n`;
}

export function renderCommandHelp(name: string, command: Command): string {
  const rows = [
    ...Object.values(command.positionals).map(({ usage, help }) => [usage, help] as const),
    ...Object.entries(command.flags).map(
      ([flag, { value, help }]) => [`${flag.length === 1 ? "-" : "--"}${flag}${value ? ` ${value}` : ""}`, help] as const,
    ),
    ["-C DIR", "run as if started in DIR"] as const,
    ["--json", "JSON also on a terminal"] as const,
  ];
  const width = Math.min(32, Math.max(...rows.map(([left]) => left.length)));
  const table = rows.map(([left, help]) => wrap(help, `  ${left.padEnd(width)}  `, width + 4));
  const sections = [
    `Usage: envoy ${usage(name, command)}`,
    command.summary,
    command.details,
    table.join("\n"),
    `Example:\n  ${command.example}`,
  ];
  return `${sections.filter(Boolean).join("\n\n")}\n`;
}

export function usage(name: string, { positionals, flags }: Command): string {
  return [name, ...Object.values(positionals).map((p) => p.usage), ...(Object.keys(flags).length ? ["[flags]"] : [])].join(" ");
}

function wrap(text: string, lead: string, indent = lead.length): string {
  const lines: string[] = [];
  let line = lead;
  for (const word of text.split(" ")) {
    if (line.length + word.length > 80 && line.trim() !== lead.trim()) {
      lines.push(line.trimEnd());
      line = " ".repeat(indent);
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()].join("\n");
}
