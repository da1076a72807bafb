import { type CommandEntry, type CommandIo, runCommands } from "@gatehouse/component-base/commands";

/** Commands of the program; each is loaded when it is run. */
const commands: readonly CommandEntry[] = [
  {
    name: "test",
    summary: "Run cases (given, expect) of policies and definitions without a server, with their coverage.",
    load: async () => (await import("./test.js")).testCommand,
  },
  {
    name: "explain",
    summary: "Tell why a policy or definition allows or denies an object, sub-expression by sub-expression.",
    load: async () => (await import("./explain.js")).explainCommand,
  },
  {
    name: "replay",
    summary: "Put recorded audit events to policies, and tell what would change.",
    load: async () => (await import("./replay.js")).replayCommand,
  },
];

/** Runs the program `gatehouse-policy` with its arguments; resolves to the exit code. */
export function runCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  return runCommands({ name: "gatehouse-policy", commands }, argv, io);
}
