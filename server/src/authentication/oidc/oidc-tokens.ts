import { type AuthenticationDecision, noOpinion, rejected } from "../authenticator.js";
import type { TokenAuthenticator } from "../tokens/token-authenticator.js";
import { type DistributedClaimsOptions, withDistributedClaims } from "./distributed-claims.js";
import { IssuerError } from "./fetch-json.js";
import { type Claims, ClaimsError, knownClaim } from "./go-claims.js";
import { IssuerKeys, type IssuerKeysOptions, type KeyTiming } from "./issuer-keys.js";
import type { JwtIssuer } from "./jwt-issuer.js";
import { userOfClaims } from "./user-of-claims.js";
import { readPayload, verifyIdToken } from "./verify-id-token.js";

/** What identity tokens are verified with. */
export interface OidcTokensOptions extends Pick<IssuerKeysOptions, "maxAgeMs" | "now" | "signal" | "shelf"> {
  readonly issuer: JwtIssuer;
  /** Told when the issuer does not answer, and when it does again (undefined). */
  readonly onTrouble: (issuerUrl: string, problem: Error | undefined) => void;
  readonly timing?: Partial<KeyTiming>;
}

/** Knows the users of one issuer. */
export interface OidcTokens extends TokenAuthenticator {
  readonly issuerUrl: string;
  /** Why the issuer cannot be asked now; undefined while it can. */
  readonly problem: Error | undefined;
}

/** Longer ones fit into no header; who reviews them shall not keep the server busy with them. */
const maxTokenLength = 64 * 1024;

const googleIssuer = "https://accounts.google.com";

/** Other issuers that claims have been fetched from: few, and nobody can make them many. */
const maxOtherIssuers = 32;

/**
 * Identity tokens of an OpenID Connect issuer. It need not answer when the server starts, nor later: tokens are refused
 * with a reason until its keys are known, and go on being believed while it is down.
 */
export async function openOidcTokens(options: OidcTokensOptions): Promise<OidcTokens> {
  const { issuer, now, signal } = options;
  const keys = keysOfIssuer(options, issuer.url, options.shelf);
  await keys.start();
  const rules = {
    issuerUrl: issuer.url,
    audiences: issuer.audiences,
    signingAlgorithms: issuer.signingAlgorithms,
    now,
  };
  const { groups } = issuer;
  const distributed: DistributedClaimsOptions | undefined =
    groups === undefined
      ? undefined
      : {
          ...rules,
          claim: groups.claim,
          certificateAuthorityPem: issuer.certificateAuthorityPem,
          signal,
          keysOf: otherIssuers(options),
        };

  const authenticate = async (token: string): Promise<AuthenticationDecision> => {
    if (keys.keys === undefined) {
      // The server has only just begun.
      await keys.settled();
    }
    if (keys.keys === undefined) {
      return rejected("oidc: authenticator not initialized");
    }
    try {
      const claims = await verifyIdToken(rules, keys, token).catch(asVerification);
      const whole = distributed === undefined ? claims : await withDistributedClaims(distributed, claims);
      return { outcome: "authenticated", user: userOfClaims(issuer, whole) };
    } catch (error) {
      if (error instanceof ClaimsError) {
        return rejected(error.message);
      }
      throw error;
    }
  };

  return {
    issuerUrl: issuer.url,
    get problem() {
      return keys.problem;
    },
    authenticateToken: (token) => (untrustedIssuer(token) === issuer.url ? authenticate(token) : noOpinion),
  };
}

function asVerification(error: unknown): Claims {
  throw error instanceof ClaimsError
    ? new ClaimsError(`oidc: verify token: ${error.message}`, { cause: error })
    : error;
}

/** Who a token says has issued it; undefined for what is no token. One issuer names itself in two ways. */
function untrustedIssuer(token: string): string | undefined {
  if (token.length > maxTokenLength) {
    return undefined;
  }
  try {
    const issuer = knownClaim(readPayload(token), "iss");
    return issuer === "accounts.google.com" ? googleIssuer : typeof issuer === "string" ? issuer : undefined;
  } catch {
    return undefined;
  }
}

function keysOfIssuer(
  { issuer, onTrouble, now, signal, maxAgeMs, timing }: OidcTokensOptions,
  issuerUrl: string,
  shelf: IssuerKeysOptions["shelf"],
): IssuerKeys {
  return new IssuerKeys({
    issuerUrl,
    certificateAuthorityPem: issuer.certificateAuthorityPem,
    shelf,
    maxAgeMs,
    now,
    signal,
    onTrouble: (problem) => onTrouble(issuerUrl, problem),
    ...(timing === undefined ? {} : { timing }),
  });
}

/** The keys of whoever has signed claims that were fetched: kept from the first time on, that they are asked for. */
function otherIssuers(options: OidcTokensOptions): (issuerUrl: string) => Promise<IssuerKeys> {
  const known = new Map<string, IssuerKeys>();
  return async (issuerUrl) => {
    let keys = known.get(issuerUrl);
    if (keys === undefined) {
      if (known.size >= maxOtherIssuers) {
        throw new IssuerError(`verifier not initialized for issuer: ${JSON.stringify(issuerUrl)}`);
      }
      keys = keysOfIssuer(options, issuerUrl, undefined);
      known.set(issuerUrl, keys);
      await keys.start();
    }
    if (keys.keys === undefined) {
      await keys.lookAgain();
    }
    if (keys.keys === undefined) {
      throw new IssuerError(`verifier not initialized for issuer: ${JSON.stringify(issuerUrl)}`);
    }
    return keys;
  };
}
