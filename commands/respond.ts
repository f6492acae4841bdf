import { command as answer } from "./answer.ts";
import type { Command } from "./command.ts";

export const command: Command = {
  ...answer,
  summary: "Another word for `envoy answer`",
  example: `envoy respond q_7k2m9xq4twe "Use Postgres"`,
};
