import type { CommandEntry } from "@gatehouse/component-base";

/** What the program `gatehouse-audit` can do. */
export const commands: readonly CommandEntry[] = [
  {
    name: "serve",
    summary: "Take events in, keep and deliver them: what gatehouse-audit-sink does.",
    load: async () => (await import("./serve.js")).serveCommand,
  },
];
