import { readFile } from "node:fs/promises";
import { ConfigurationError, problemAt } from "@gatehouse/component-base";
import type { ServerConfig } from "../config.js";
import type { Authenticator } from "./authenticator.js";
import { clientCertificateAuthenticator } from "./client-certificate.js";
import { parseTokenFile, tokenFileAuthenticator } from "./token-file.js";

/**
 * The authenticators that the configuration asks for, in the order in which v1.29 asks them. `clientAuthorities` gives the
 * certificates of `--client-ca-file` as they are now, as PEM. Rejects with a `ConfigurationError` when a file is unusable.
 */
export async function openAuthenticators(
  config: Pick<ServerConfig, "clientCaFile" | "tokenAuthFile">,
  clientAuthorities: () => string,
): Promise<readonly Authenticator[]> {
  const authenticators: Authenticator[] = [];
  if (config.clientCaFile !== undefined) {
    authenticators.push(clientCertificateAuthenticator(clientAuthorities));
  }
  if (config.tokenAuthFile !== undefined) {
    try {
      authenticators.push(tokenFileAuthenticator(parseTokenFile(await readFile(config.tokenAuthFile, "utf8"))));
    } catch (error) {
      throw new ConfigurationError("flags", [
        problemAt("--token-auth-file", error instanceof Error ? error.message : "cannot be read"),
      ]);
    }
  }
  return authenticators;
}
