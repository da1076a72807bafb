import { type CommandEntry, type CommandIo, runCommands } from "@gatehouse/component-base/commands";

/** Commands of the program; each is loaded when it is run. */
const commands: readonly CommandEntry[] = [
  {
    name: "init",
    summary: "Write a project of an extension API server.",
    load: async () => (await import("./init.js")).initCommand,
  },
  {
    name: "build",
    summary: "Write an image of a project, and what a cluster needs to run it.",
    load: async () => (await import("./build.js")).buildCommand,
  },
  {
    name: "rotate",
    summary: "Renew the certificate of a server in a cluster, and tell the API server in front.",
    load: async () => (await import("./rotate.js")).rotateCommand,
  },
];

/** Runs the program `gatehouse-extension` with its arguments; resolves to the exit code. */
export function runCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  return runCommands({ name: "gatehouse-extension", commands }, argv, io);
}
