import { type CommandForm, type CommandIo, parseArguments } from "@gatehouse/component-base/commands";
import { defineFlags, type FlagTable, type FlagValues } from "@gatehouse/component-base/flags";

/** Flags of every plugin. */
export const commonFlags = defineFlags({
  "cache-dir": {
    type: "path",
    group: "Cache",
    help: "`folder` in which credentials are kept, for its owner alone. Default: a folder of this program in the OS user's cache.",
  },
});

/** A command line of a plugin, by where its flags come from. */
export interface PluginCommandLine<T extends FlagTable, C extends FlagTable> {
  /** Values of the plugin's flags. */
  readonly values: FlagValues<T>;
  /** Values of the command's flags. */
  readonly own: FlagValues<C>;
  readonly common: FlagValues<typeof commonFlags>;
  /** Names of the flags that were given. */
  readonly given: ReadonlySet<string>;
}

/**
 * Parses arguments like `parseArguments`, with the flags of the plugin, of the command, and those that all plugins
 * have.
 */
export function parsePluginArguments<T extends FlagTable, C extends FlagTable>(
  form: Omit<CommandForm<FlagTable>, "flags"> & { readonly flags: T; readonly own: C },
  argv: readonly string[],
  io: CommandIo,
): PluginCommandLine<T, C> | undefined {
  const { flags, own, ...rest } = form;
  const line = parseArguments<FlagTable>({ ...rest, flags: { ...flags, ...commonFlags, ...own } }, argv, io);
  if (line === undefined) {
    return undefined;
  }
  // Each table finds its values in the whole; the compiler cannot follow that through a spread of tables it does not know.
  const { values, given } = line as { readonly values: unknown; readonly given: ReadonlySet<string> };
  return {
    values: values as FlagValues<T>,
    own: values as FlagValues<C>,
    common: values as FlagValues<typeof commonFlags>,
    given,
  };
}
