import type { IncomingMessage } from "node:http";
import {
  anyAuthenticator,
  type CallerAuthenticator,
  ConfigurationError,
  clientCertificates,
  type IdentifyCaller,
  openBearerTokens,
  problemAt,
} from "@gatehouse/component-base";
import { StatusError, unauthorized } from "@gatehouse/envelopes";
import type { PartyConfig } from "../config/audit-sink-config.js";

/** Whom a part of the service lets in. */
export interface Admission {
  readonly admitted: CallerAuthenticator;
  /** Others that the sink knows, by credentials of their own: they learn that it is not them who is wanted. */
  readonly others?: CallerAuthenticator;
  /** What the admitted may do: `send events`. */
  readonly action: string;
}

/** The name of a caller. Throws StatusError 403 for one who is known, but may not do this, and 401 for everybody else. */
export async function admitCaller({ admitted, others, action }: Admission, request: IncomingMessage): Promise<string> {
  const verdict = await admitted.authenticate(request);
  if (verdict.outcome === "accepted") {
    return verdict.name;
  }
  const known = await others?.authenticate(request);
  if (known?.outcome === "accepted") {
    throw new StatusError(403, "Forbidden", `${JSON.stringify(known.name)} may not ${action}`);
  }
  const reason =
    verdict.outcome === "rejected" ? verdict.reason : "the caller shows no credential that is asked for here";
  throw unauthorized(`Unauthorized: ${reason}`);
}

/** How a group of callers proves who it is; made into an authenticator once TLS is there. */
export type PartyCredentials = (identify: IdentifyCaller) => Parties;

/** A group of callers. */
export interface Parties {
  /** Those who are known by name. */
  readonly known: CallerAuthenticator;
  /** The same, and everybody else where anybody may. */
  readonly admitted: CallerAuthenticator;
}

/**
 * Reads the credentials of the parties: callers are known by the name of their party. `anybody` believes everybody else
 * as well, by the name `anyone`. Throws ConfigurationError when a token file cannot be read.
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
    const anyone = { authenticate: () => ({ outcome: "accepted" as const, name: "anyone" }) };
    return { known, admitted: anybody ? anyAuthenticator([known, anyone]) : known };
  };
}
