import type { Command } from "@gatehouse/component-base/commands";
import type { FlagTable } from "@gatehouse/component-base/flags";
import { cacheFolderOf } from "../cache/cache-folder.js";
import { openCredentialCache } from "../cache/credential-cache.js";
import { formatExecCredential } from "./credential.js";
import { execInfoVariable, readExecInfo } from "./exec-info.js";
import { parsePluginArguments } from "./parse-plugin-arguments.js";
import type { CredentialPluginDefinition } from "./plugin-definition.js";
import type { PluginIo } from "./plugin-io.js";
import { provideCredential } from "./provide-credential.js";
import { tellingErrors } from "./telling-errors.js";

/**
 * Returns the command that clients run: it reads KUBERNETES_EXEC_INFO and prints an ExecCredential on standard output.
 */
export function getCommand<T extends FlagTable>(
  { name, summary, version, flags, configure }: CredentialPluginDefinition<T>,
  io: PluginIo,
): Command {
  return {
    async run(argv) {
      const line = parsePluginArguments({ command: name, summary, version, flags, own: {} }, argv, io);
      if (line === undefined) {
        return 0;
      }
      return await tellingErrors(name, io, async () => {
        const info = readExecInfo(io.env[execInfoVariable], io.stdinIsTerminal);
        const source = await configure(line.values, io.env);
        const folder = line.common["cache-dir"] ?? cacheFolderOf(name, io.env);
        const cache = await openCredentialCache(folder, source.cacheKey, io.printError);
        const credential = await provideCredential(source, cache, {
          interactive: info.interactive,
          personPresent: info.interactive || io.stderrIsTerminal,
          ...(info.cluster === undefined ? {} : { cluster: info.cluster }),
          prompt: io.printError,
          now: Date.now,
        });
        io.print(formatExecCredential(info, credential));
      });
    },
  };
}
