import { type CommandForm, type CommandIo, parseArguments } from "@gatehouse/component-base/commands";
import type { FlagTable, FlagValues } from "@gatehouse/component-base/flags";
import { type PolicyFolder, readPolicyFolder } from "../policies/policy-folder.js";

/** The arguments of a command about one file or folder. */
export interface FolderArguments<T extends FlagTable> {
  /** The path, as it was given. */
  readonly operand: string;
  readonly folder: PolicyFolder;
  readonly values: FlagValues<T>;
}

/**
 * Reads the arguments of a command with one operand, and the documents that this names; undefined when the arguments ask for
 * help or version, which are printed. Throws ConfigurationError with all problems.
 */
export async function readFolderArguments<T extends FlagTable>(
  form: CommandForm<T>,
  argv: readonly string[],
  io: CommandIo,
): Promise<FolderArguments<T> | undefined> {
  const line = parseArguments(form, argv, io);
  const [operand] = line?.operands ?? [];
  return line === undefined || operand === undefined
    ? undefined
    : { operand, folder: await readPolicyFolder(operand), values: line.values };
}
