import { type CommandIo, processIo } from "@gatehouse/component-base/commands";

/** The parts of its surroundings that a plugin may use. Standard output belongs to the answer alone. */
export interface PluginIo extends CommandIo {
  /** True if a person can type here. */
  readonly stdinIsTerminal: boolean;
  /** True if a person reads standard error. */
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
