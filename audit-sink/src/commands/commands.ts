import type { CommandEntry } from "@gatehouse/component-base";

/** What the program `gatehouse-audit` can do. */
export const commands: readonly CommandEntry[] = [
  {
    name: "serve",
    summary: "Take events in, keep and deliver them: what gatehouse-audit-sink does.",
    load: async () => (await import("./serve.js")).serveCommand,
  },
  {
    name: "verify",
    summary: "Prove that a range of the log is whole and unaltered, or tell where it is not.",
    load: async () => (await import("./verify.js")).verifyCommand,
  },
];
