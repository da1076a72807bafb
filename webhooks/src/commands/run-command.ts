import { ConfigurationError, closestName, HttpClientError } from "@gatehouse/component-base";
import { StatusError } from "@gatehouse/envelopes";
import type { Command, CommandIo } from "./command.js";

/** What the program can do, by word. Each is loaded when it is asked for. */
const commands: ReadonlyMap<string, { readonly summary: string; readonly load: () => Promise<Command> }> = new Map([
  [
    "serve",
    {
      summary: "Serve hooks over HTTPS; also done without a command.",
      load: async () => (await import("./serve.js")).serveCommand,
    },
  ],
  [
    "register",
    {
      summary: "Print or apply the webhook configurations of the hooks.",
      load: async () => (await import("./register.js")).registerCommand,
    },
  ],
]);

/** Runs the program `gatehouse-admission` with its arguments; resolves to the exit code. */
export async function runCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const [word] = argv;
  if (word === "help") {
    printHelp(io);
    return 0;
  }
  const named = word !== undefined && !word.startsWith("-");
  const found = commands.get(named ? word : "serve");
  if (found === undefined) {
    const closest = closestName(word ?? "", [...commands.keys()]);
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
  const width = Math.max(...[...commands.keys()].map((name) => name.length));
  for (const [name, { summary }] of commands) {
    io.print(`  ${name.padEnd(width)}  ${summary}`);
  }
  io.print("\nEach command tells its flags with --help.");
}
