import { type CommandEntry, runCommands } from "@gatehouse/component-base/commands";
import type { FlagTable } from "@gatehouse/component-base/flags";
import { getCommand } from "./get-command.js";
import { logoutCommand } from "./logout-command.js";
import type { CredentialPluginDefinition } from "./plugin-definition.js";
import type { PluginIo } from "./plugin-io.js";
import { setupCommand } from "./setup-command.js";

/** A program to be named in a kubeconfig. */
export interface CredentialPlugin {
  /**
   * Runs it: without a word as clients do, answering KUBERNETES_EXEC_INFO; or `logout`, or `setup`. Resolves to the exit
   * code: 0, or 1 with the reason on standard error. Only an answer goes to standard output.
   */
  run(argv: readonly string[], io: PluginIo): Promise<number>;
}

/**
 * Makes an exec credential plugin (`client.authentication.k8s.io/v1` and `v1beta1`) with a cache, one refresh at a time,
 * and the commands `logout` and `setup`.
 *
 * @example
 * const plugin = defineCredentialPlugin({
 *   name: "my-credential",
 *   summary: "Logs in with the badge reader.",
 *   version: "1.0.0",
 *   flags: defineFlags({ reader: { type: "string", default: "usb0", group: "Login", help: "Reader to ask." } }),
 *   configure: async ({ reader }) => ({
 *     cacheKey: [reader],
 *     obtain: async ({ signal }) => ({ credential: await readBadge(reader, signal) }),
 *   }),
 * });
 * process.exitCode = await plugin.run(process.argv.slice(2), pluginIo());
 */
export function defineCredentialPlugin<T extends FlagTable>(
  definition: CredentialPluginDefinition<T>,
): CredentialPlugin {
  const { name } = definition;
  return {
    async run(argv, io) {
      const commands: CommandEntry[] = [
        {
          name: "get",
          summary: "Answers a client that asks for a credential.",
          load: async () => getCommand(definition, io),
        },
        {
          name: "logout",
          summary: "Forgets the credential, and tells its issuer where that is possible.",
          load: async () => logoutCommand(definition),
        },
        {
          name: "setup",
          summary: "Writes a user with this plugin into a kubeconfig.",
          load: async () => setupCommand(definition),
        },
      ];
      return await runCommands({ name, version: definition.version, commands, defaultCommand: "get" }, argv, io);
    },
  };
}
