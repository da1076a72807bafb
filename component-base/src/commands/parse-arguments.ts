import type { FlagTable, FlagValues } from "../flags/flag-definition.js";
import { formatHelp } from "../flags/flag-help.js";
import { parseFlags } from "../flags/parse-flags.js";
import { ConfigurationError, type Problem, problemAt } from "../problems/configuration-error.js";
import { version } from "../version.js";
import type { CommandIo } from "./command.js";

/** What a command line says of a command. */
export interface CommandLine<T extends FlagTable> {
  /** What is no flag: before, between or after them. */
  readonly operand: string | undefined;
  readonly values: FlagValues<T>;
  /** Names of the flags that were given. */
  readonly given: ReadonlySet<string>;
}

/** How a command is called. */
export interface CommandForm<T extends FlagTable> {
  /** Program and word: `gatehouse-admission test`. */
  readonly command: string;
  readonly summary: string;
  /** What --version prints. Default: the version of Gatehouse. */
  readonly version?: string;
  readonly flags: T;
  /** Name of the one operand: `DIR`. None when left out. */
  readonly operand?: string;
}

/**
 * Reads the arguments of a command; undefined when they ask for help or version, which are printed. Throws
 * ConfigurationError with all problems.
 */
export function parseArguments<T extends FlagTable>(
  form: CommandForm<T>,
  argv: readonly string[],
  io: CommandIo,
): CommandLine<T> | undefined {
  const parsed = parseFlags(form.flags, argv, form.operand === undefined ? 0 : 1);
  if (parsed.outcome === "help") {
    const command = form.operand === undefined ? form.command : `${form.command} ${form.operand}`;
    io.print(formatHelp(form.flags, { command, summary: form.summary }).trimEnd());
    return undefined;
  }
  if (parsed.outcome === "version") {
    io.print(form.version ?? version);
    return undefined;
  }
  const problems: Problem[] = parsed.outcome === "invalid" ? [...parsed.problems] : [];
  const [operand] = parsed.operands;
  if (form.operand !== undefined && operand === undefined) {
    problems.push(problemAt(form.operand, "is required"));
  }
  if (parsed.outcome === "invalid" || problems.length > 0) {
    throw new ConfigurationError("arguments", problems);
  }
  return { operand, values: parsed.values, given: parsed.given };
}
