import type { CommandEntry } from "@gatehouse/component-base/commands";

/** Commands of the program `gatehouse-audit`. */
export const commands: readonly CommandEntry[] = [
  {
    name: "serve",
    summary: "Take events in, keep and deliver them: what gatehouse-audit-sink does.",
    load: async () => (await import("./serve.js")).serveCommand,
  },
  {
    name: "query",
    summary: "Find kept events, newest first.",
    load: async () => (await import("./query.js")).queryCommand,
  },
  {
    name: "tail",
    summary: "Show events as they come.",
    load: async () => (await import("./tail.js")).tailCommand,
  },
  {
    name: "stats",
    summary: "Count kept events by verb, outcome, user and resource.",
    load: async () => (await import("./stats.js")).statsCommand,
  },
  {
    name: "simulate",
    summary: "Tell what an audit policy would have made of kept events.",
    load: async () => (await import("./simulate.js")).simulateCommand,
  },
  {
    name: "verify",
    summary: "Prove that a range of the log is whole and unaltered, or tell where it is not.",
    load: async () => (await import("./verify.js")).verifyCommand,
  },
];
