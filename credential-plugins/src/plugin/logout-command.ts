import type { Command } from "@gatehouse/component-base/commands";
import type { FlagTable } from "@gatehouse/component-base/flags";
import { cacheFolderOf } from "../cache/cache-folder.js";
import { openCredentialCache } from "../cache/credential-cache.js";
import { CredentialError } from "./credential-error.js";
import { parsePluginArguments } from "./parse-plugin-arguments.js";
import type { CredentialPluginDefinition } from "./plugin-definition.js";
import { tellingErrors } from "./telling-errors.js";

const timeoutMs = 20_000;

/** Forgets what the cache holds of the login that the flags name. */
export function logoutCommand<T extends FlagTable>({
  name,
  version,
  flags,
  configure,
}: CredentialPluginDefinition<T>): Command {
  return {
    async run(argv, io) {
      const summary = "Forgets the credential of the login that these flags name, and tells its issuer where possible.";
      const form = { command: `${name} logout`, summary, version, flags, own: {} };
      const line = parsePluginArguments(form, argv, io);
      if (line === undefined) {
        return 0;
      }
      return await tellingErrors(name, io, async () => {
        const source = await configure(line.values, io.env);
        const folder = line.common["cache-dir"] ?? cacheFolderOf(name, io.env);
        const cache = await openCredentialCache(folder, source.cacheKey, io.printError);
        const signal = AbortSignal.timeout(timeoutMs);
        await using _ = await cache.lock({ signal });
        const entry = await cache.read();
        // Forgotten first: that does not depend on anybody else.
        await cache.remove();
        if (entry === undefined) {
          io.printError("There was no login.");
          return;
        }
        try {
          await source.revoke?.(entry, signal);
        } catch (error) {
          if (error instanceof CredentialError) {
            throw new CredentialError(
              `the login is forgotten here, but its issuer could not be told: ${error.message}`,
            );
          }
          throw error;
        }
        io.printError("Logged out.");
      });
    },
  };
}
