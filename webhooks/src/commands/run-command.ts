import { ConfigurationError, closestName, HttpClientError } from "@gatehouse/component-base";
import { StatusError } from "@gatehouse/envelopes";
import type { Command, CommandIo } from "./command.js";

interface Entry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** What the program can do. Each command is loaded when it is asked for. */
const commands: readonly Entry[] = [
  {
    name: "serve",
    summary: "Serve hooks over HTTPS; also done without a command.",
    load: async () => (await import("./serve.js")).serveCommand,
  },
  {
    name: "register",
    summary: "Print or apply the webhook configurations of the hooks.",
    load: async () => (await import("./register.js")).registerCommand,
  },
  {
    name: "test",
    summary: "Run a folder of cases (given, expect) without a cluster.",
    load: async () => (await import("./test.js")).testCommand,
  },
  {
    name: "check",
    summary: "Check manifests in CI: text, JUnit or SARIF.",
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
export async function runCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const [word] = argv;
  if (word === "help") {
    printHelp(io);
    return 0;
  }
  const names = commands.map(({ name }) => name);
  const named = word !== undefined && !word.startsWith("-");
  const found = commands.find(({ name }) => name === (named ? word : "serve"));
  if (found === undefined) {
    const closest = closestName(word ?? "", names);
    io.printError(
      `gatehouse-admission: there is no command ${word}${closest === undefined ? "" : `; did you mean ${closest}?`}`,
    );
    return 1;
  }
  try {
    const command = await found.load();
    return await command.run(named ? argv.slice(1) : argv, io);
  } catch (error) {
    if (!isExpected(error)) {
      throw error;
    }
    io.printError(`gatehouse-admission: ${error.message.trimEnd()}`);
    return 1;
  }
}

function isExpected(error: unknown): error is Error {
  return (
    error instanceof ConfigurationError ||
    error instanceof StatusError ||
    error instanceof HttpClientError ||
    (error instanceof Error && "syscall" in error && error.syscall === "listen")
  );
}

function printHelp(io: CommandIo): void {
  io.print("Usage:\n  gatehouse-admission [COMMAND] [flags]\n\nCommands:");
  const width = Math.max(...commands.map(({ name }) => name.length));
  for (const { name, summary } of commands) {
    io.print(`  ${name.padEnd(width)}  ${summary}`);
  }
  io.print("\nEach command tells its flags with --help.");
}
