import { ConfigurationError } from "@gatehouse/component-base/errors";
import {
  anyAuthenticator,
  type CallerAuthenticator,
  clientCertificates,
  openBearerTokens,
} from "@gatehouse/component-base/https-service";
import { problemAt } from "@gatehouse/component-base/problems";
import type { IdentifyCaller } from "@gatehouse/component-base/tls";
import type { PartyConfig } from "../config/audit-sink-config.js";

/** Name of callers who are known by no other. */
export const anyone = "anyone";

/** Makes the authenticators of a group of callers, once TLS can identify them. */
export type PartyCredentials = (identify: IdentifyCaller) => Parties;

/** A group of callers. */
export interface Parties {
  /** Authenticator of the parties that are configured by name. */
  readonly known: CallerAuthenticator;
  /** Authenticator of the named parties, and of everybody else if anybody is admitted. */
  readonly admitted: CallerAuthenticator;
}

/**
 * Reads the credentials of the parties: callers are known by the name of their party. `anybody` believes everybody else
 * as well, by the name of `anyone`. Throws ConfigurationError when a token file cannot be read.
 */
export async function openParties(
  path: "senders" | "readers",
  parties: readonly PartyConfig[],
  anybody: boolean,
): Promise<PartyCredentials> {
  const byCommonName = new Map(
    parties.flatMap(({ name, commonNames }) => commonNames.map((cn) => [cn, name] as const)),
  );
  const tokens = await Promise.all(
    parties.map(async ({ name, tokenFile }, index) => {
      try {
        return tokenFile === undefined ? [] : [await openBearerTokens({ file: tokenFile, name })];
      } catch (error) {
        const reason = error instanceof Error ? error.message : "cannot be read";
        throw new ConfigurationError("configuration", [problemAt(`${path}[${index}].tokenFile`, reason)]);
      }
    }),
  );
  return (identify) => {
    const certificates = clientCertificates({ identify, allowedNames: [...byCommonName.keys()] });
    const known = anyAuthenticator([
      {
        async authenticate(request) {
          const verdict = await certificates.authenticate(request);
          return verdict.outcome === "accepted"
            ? { outcome: "accepted", name: byCommonName.get(verdict.name) ?? verdict.name }
            : verdict;
        },
      },
      ...tokens.flat(),
    ]);
    const believing = { authenticate: () => ({ outcome: "accepted" as const, name: anyone }) };
    return { known, admitted: anybody ? anyAuthenticator([known, believing]) : known };
  };
}
