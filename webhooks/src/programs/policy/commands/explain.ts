import type { Command } from "@gatehouse/component-base/commands";
export const explainCommand: Command = { run: async () => 1 };
