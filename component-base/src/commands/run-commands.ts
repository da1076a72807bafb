import { closestName } from "../flags/closest-name.js";
import { isSystemError } from "../problems/system-error.js";
import type { Command, CommandIo } from "./command.js";
import { versionText } from "./version-text.js";

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
  /** Name of the command that runs when no word is given. Default: a word is required. */
  readonly defaultCommand?: string;
  /** Version of the program, for --version. Default: that of Gatehouse. */
  readonly version?: string;
}

/**
 * Runs the command that the first argument names; resolves to the exit code. `help` and `version` are words of every
 * program. Errors that the user can mend are told in one line on standard error.
 */
export async function runCommands(program: CommandProgram, argv: readonly string[], io: CommandIo): Promise<number> {
  const { name, commands, defaultCommand } = program;
  const [word, ...others] = withWordsAsFlags(argv);
  if (word === "--help" || word === "-h") {
    printHelp(program, io.print);
    return 0;
  }
  if (word === "--version") {
    io.print(versionText(name, program.version));
    return 0;
  }
  const named = word !== undefined && !word.startsWith("-");
  if (!named && defaultCommand === undefined) {
    if (word === undefined) {
      printHelp(program, io.printError);
    } else {
      io.printError(`${name}: the first argument must be a command, not the flag ${word}; ${name} --help lists them`);
    }
    return 1;
  }
  const found = commands.find((command) => command.name === (named ? word : defaultCommand));
  if (found === undefined) {
    const closest = closestName(word ?? "", [...commands.map((command) => command.name), "help", "version"]);
    const hint = closest === undefined ? `${name} --help lists them` : `did you mean ${closest}?`;
    io.printError(`${name}: there is no command ${word}; ${hint}`);
    return 1;
  }
  const command = await found.load();
  return await runExpectingErrors(name, io, command.errorCode, () => command.run(named ? others : argv, io));
}

/** Runs a program that is one command; resolves to the exit code. `help` and `version` are words of it, too. */
export async function runProgram(
  name: string,
  command: Command,
  argv: readonly string[],
  io: CommandIo,
): Promise<number> {
  return await runExpectingErrors(name, io, command.errorCode, () => command.run(withWordsAsFlags(argv), io));
}

/** Returns the arguments with a first word `help` or `version` as the flag of that name. */
export function withWordsAsFlags(argv: readonly string[]): readonly string[] {
  const [word, ...others] = argv;
  return word === "help" || word === "version" ? [`--${word}`, ...others] : argv;
}

/** Runs `run`; an error that the user can mend is told in one line, and makes the exit code `errorCode`, or 1. */
async function runExpectingErrors(
  name: string,
  io: CommandIo,
  errorCode: number | undefined,
  run: () => Promise<number>,
): Promise<number> {
  try {
    const code = await run();
    return io.outputClosed?.aborted === true ? Math.max(code, 1) : code;
  } catch (error) {
    if (!isExpected(error)) {
      throw error;
    }
    io.printError(`${name}: ${error.message.trimEnd()}`);
    return errorCode ?? 1;
  }
}

/**
 * Names of errors that the user can mend. Classes are no sign: Node.js 20 may load a linked package twice, by its link and by
 * its place, when it is imported after a pipe or socket has been looked at (`fs.realpathSync` stops early then).
 */
const expectedNames = new Set([
  ...["BackupError", "CommandError", "ConfigurationError", "DirectoryInUseError", "HttpClientError", "StatusError"],
  ...["StoreDamagedError", "StoreRefusedError", "StoreTimeoutError", "StoreUnavailableError"],
  ...["StoreUnusableError", "StoreUnwritableError"],
]);

function isExpected(error: unknown): error is Error {
  return (error instanceof Error && expectedNames.has(error.name)) || isSystemError(error);
}

function printHelp({ name, commands, defaultCommand }: CommandProgram, print: (line: string) => void): void {
  print(`Usage:\n  ${name} ${defaultCommand === undefined ? "COMMAND" : "[COMMAND]"} [flags]\n\nCommands:`);
  const width = Math.max(...commands.map((command) => command.name.length));
  for (const command of commands) {
    print(`  ${command.name.padEnd(width)}  ${command.summary}`);
  }
  const note = defaultCommand === undefined ? "" : `Without a command, ${defaultCommand} is run. `;
  print(`\n${note}Each command tells its flags with --help.`);
}
