import { ConfigurationError } from "../errors.js";
import type { FlagTable, FlagValues } from "../flags/flag-definition.js";
import { formatHelp } from "../flags/flag-help.js";
import { parseFlags } from "../flags/parse-flags.js";
import { type Problem, problemAt } from "../problems/problem.js";
import type { CommandIo } from "./command.js";
import { versionText } from "./version-text.js";

/** The parts of a command line that a command was called with. */
export interface CommandLine<T extends FlagTable> {
  /** Arguments that are neither a flag nor the value of one, in their order. */
  readonly operands: readonly string[];
  readonly values: FlagValues<T>;
  /** Names of the flags that were given. */
  readonly given: ReadonlySet<string>;
}

/** The form in which a command is called. */
export interface CommandForm<T extends FlagTable> {
  /** Program and word: `gatehouse-admission test`. */
  readonly command: string;
  readonly summary: string;
  /** Version of the program, for --version. Default: that of Gatehouse. */
  readonly version?: string;
  readonly flags: T;
  /**
   * Names of the operands in their order: `DIR`, `[DIR]` for one that may be left out, `FILE...` at the end for one or
   * more. Default: none.
   */
  readonly operands?: readonly string[];
  /** Flags that must be given, as the usage line shows them: `--user NAME`. The command itself refuses to go without. */
  readonly requiredFlags?: readonly string[];
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
  const { operands = [], requiredFlags = [] } = form;
  const isOpenEnded = operands.at(-1)?.endsWith("...") === true;
  const parsed = parseFlags(form.flags, argv, isOpenEnded ? Number.POSITIVE_INFINITY : operands.length);
  if (parsed.outcome === "help") {
    const required = [...requiredFlags, ...operands];
    io.print(formatHelp(form.flags, { command: form.command, required, summary: form.summary }).trimEnd());
    return undefined;
  }
  if (parsed.outcome === "version") {
    io.print(versionText(programOf(form.command), form.version));
    return undefined;
  }
  const problems: Problem[] = parsed.outcome === "invalid" ? [...parsed.problems] : [];
  const missing = operands.slice(parsed.operands.length).filter((operand) => !operand.startsWith("["));
  problems.push(...missing.map((operand) => problemAt(operand, "is required")));
  if (parsed.outcome === "invalid" || problems.length > 0) {
    throw new ConfigurationError("arguments", problems);
  }
  return { operands: parsed.operands, values: parsed.values, given: parsed.given };
}

/** Returns the program of a command; a plugin of kubectl is called by two words. */
function programOf(command: string): string {
  return /^(?:kubectl )?\S+/.exec(command)?.[0] ?? command;
}
