import { type CommandEntry, type CommandIo, runCommands } from "@gatehouse/component-base/commands";

/** Commands of the program; each is loaded when it is run. */
const commands: readonly CommandEntry[] = [
  {
    name: "serve",
    summary: "Serve hooks over HTTPS.",
    load: async () => (await import("./serve.js")).serveCommand,
  },
  {
    name: "register",
    summary: "Print or apply the webhook configurations of the hooks.",
    load: async () => (await import("./register.js")).registerCommand,
  },
  {
    name: "unregister",
    summary: "Take a registration back.",
    load: async () => (await import("./unregister.js")).unregisterCommand,
  },
  {
    name: "test",
    summary: "Run a folder of cases (given, expect) without a cluster.",
    load: async () => (await import("./test.js")).testCommand,
  },
  {
    name: "check",
    summary: "Check manifests in CI, or after each change.",
    load: async () => (await import("./check.js")).checkCommand,
  },
  {
    name: "scan",
    summary: "Put what is in a cluster to the hooks, and report in PolicyReport objects.",
    load: async () => (await import("./scan.js")).scanCommand,
  },
  {
    name: "init",
    summary: "Write a new hook project.",
    load: async () => (await import("./init.js")).initCommand,
  },
  {
    name: "dev",
    summary: "Serve hooks to a running server, again after each change.",
    load: async () => (await import("./dev.js")).devCommand,
  },
  {
    name: "build",
    summary: "Write what a cluster needs to run the hooks.",
    load: async () => (await import("./build.js")).buildCommand,
  },
  {
    name: "policies",
    summary: "Print hooks that are made of expressions as ValidatingAdmissionPolicies.",
    load: async () => (await import("./policies.js")).policiesCommand,
  },
  {
    name: "types",
    summary: "Print TypeScript types of custom kinds.",
    load: async () => (await import("./types.js")).typesCommand,
  },
  {
    name: "rotate",
    summary: "Renew the certificates of hooks in a cluster, and tell API servers.",
    load: async () => (await import("./rotate.js")).rotateCommand,
  },
];

/** Runs the program `gatehouse-admission` with its arguments; resolves to the exit code. */
export function runCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  return runCommands({ name: "gatehouse-admission", commands, defaultCommand: "serve" }, argv, io);
}
