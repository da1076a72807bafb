import { type CommandIo, processIo } from "@gatehouse/component-base";

/** What a plugin may touch of its surroundings. Standard output belongs to the answer alone. */
export interface PluginIo extends CommandIo {
  /** Whether a person can type here. */
  readonly stdinIsTerminal: boolean;
  /** Whether a person reads what is written to standard error. */
  readonly stderrIsTerminal: boolean;
}

/** The surroundings of a plugin that runs as a process of its own. */
export function pluginIo(): PluginIo {
  return {
    ...processIo(),
    stdinIsTerminal: process.stdin.isTTY === true,
    stderrIsTerminal: process.stderr.isTTY === true,
  };
}
