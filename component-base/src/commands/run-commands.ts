import { StatusError } from "@gatehouse/envelopes";
import { closestName } from "../flags/closest-name.js";
import { HttpClientError } from "../http-client/http-client-error.js";
import { ConfigurationError } from "../problems/configuration-error.js";
import { isSystemError } from "../problems/system-error.js";
import type { Command, CommandIo } from "./command.js";

/** One word that a program takes, and what stands behind it; loaded when it is asked for. */
export interface CommandEntry {
  readonly name: string;
  /** One sentence for the list of commands. */
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** A program that is told by its first word what to do. */
export interface CommandProgram {
  readonly name: string;
  readonly commands: readonly CommandEntry[];
  /** The command that runs when no word is given: one of `commands`. Default: the list of commands is printed. */
  readonly defaultCommand?: string;
}

/** Runs a program with its arguments; resolves to the exit code. What went wrong is told in one line on standard error. */
export async function runCommands(program: CommandProgram, argv: readonly string[], io: CommandIo): Promise<number> {
  const [word] = argv;
  const { name, commands, defaultCommand } = program;
  const named = word !== undefined && !word.startsWith("-");
  if (
    ["help", "--help", "-h"].includes(word ?? "") ||
    (!named && defaultCommand === undefined && word !== "--version")
  ) {
    printHelp(program, io);
    return 0;
  }
  const found = commands.find((command) => command.name === (named ? word : (defaultCommand ?? commands[0]?.name)));
  if (found === undefined) {
    const names = [...commands.map((command) => command.name), "help"];
    const closest = closestName(word ?? "", names);
    io.printError(`${name}: there is no command ${word}${closest === undefined ? "" : `; did you mean ${closest}?`}`);
    return 1;
  }
  return await runExpectingErrors(name, io, async () => (await found.load()).run(named ? argv.slice(1) : argv, io));
}

/** Runs what a program does: errors that its user can mend are told in one line, and the exit code is 1. */
export async function runExpectingErrors(name: string, io: CommandIo, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!isExpected(error)) {
      throw error;
    }
    io.printError(`${name}: ${error.message.trimEnd()}`);
    return 1;
  }
}

function isExpected(error: unknown): error is Error {
  return (
    error instanceof ConfigurationError ||
    error instanceof StatusError ||
    error instanceof HttpClientError ||
    isSystemError(error)
  );
}

function printHelp({ name, commands, defaultCommand }: CommandProgram, io: CommandIo): void {
  io.print(`Usage:\n  ${name} ${defaultCommand === undefined ? "COMMAND" : "[COMMAND]"} [flags]\n\nCommands:`);
  const width = Math.max(...commands.map((command) => command.name.length));
  for (const command of commands) {
    io.print(`  ${command.name.padEnd(width)}  ${command.summary}`);
  }
  const note = defaultCommand === undefined ? "" : `Without a command, it is ${defaultCommand}. `;
  io.print(`\n${note}Each command tells its flags with --help.`);
}
