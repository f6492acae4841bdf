import { defineCommand } from "../command.ts";
export const command = defineCommand({ summary: "x", example: "envoy x", run: async () => ({ data: {} }) });
