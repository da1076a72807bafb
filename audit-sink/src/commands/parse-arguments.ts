import {
  type CommandForm,
  type CommandIo,
  type CommandLine,
  type FlagTable,
  parseArguments as parseArgumentsOf,
} from "@gatehouse/component-base";
import { version } from "../version.js";

/** Reads the arguments of a command of this package. See `parseArguments` of component-base. */
export function parseArguments<T extends FlagTable>(
  form: Omit<CommandForm<T>, "version">,
  argv: readonly string[],
  io: CommandIo,
): CommandLine<T> | undefined {
  return parseArgumentsOf({ ...form, version }, argv, io);
}
