import { ClaimsError } from "../errors.js";
import { type DistributedClaimsOptions, withDistributedClaims } from "./distributed-claims.js";
import { IssuerError } from "./fetch-json.js";
import { type Claims, knownClaim } from "./go-claims.js";
import { IssuerKeys, type IssuerKeysOptions, type KeyTiming } from "./issuer-keys.js";
import type { JwtIssuer, TokenUser } from "./jwt-issuer.js";
import { userOfClaims } from "./user-of-claims.js";
import { type IdTokenOptions, readPayload, verifyIdToken } from "./verify-id-token.js";

/** Settings for verifying identity tokens. */
export interface IdentityTokensOptions extends Pick<IssuerKeysOptions, "maxAgeMs" | "now" | "signal" | "shelf"> {
  readonly issuer: JwtIssuer;
  /** Called when the issuer stops answering, and when it answers again (undefined). */
  readonly onTrouble: (issuerUrl: string, problem: Error | undefined) => void;
  readonly timing?: Partial<KeyTiming>;
}

/** Result of verifying a token. */
export type IdentityTokenVerdict =
  | { readonly outcome: "verified"; readonly user: TokenUser; readonly claims: Claims }
  /** `reason` is in v1.29's words and holds nothing of the signature. */
  | { readonly outcome: "refused"; readonly reason: string }
  /** The keys of the issuer have never been there, or are too old: nothing can be said of its tokens. */
  | { readonly outcome: "noKeys" };

/** Verifies the identity tokens of one issuer. */
export interface IdentityTokens {
  readonly issuerUrl: string;
  /** Reason why the issuer cannot be asked now; undefined while it can. */
  readonly problem: Error | undefined;
  /** Verifies a token; undefined for a text that is no token of this issuer. */
  verify(token: string): Promise<IdentityTokenVerdict> | undefined;
}

/** Maximum length of a token in characters. Longer ones fit into no header, but could keep a token review busy. */
const maxTokenLength = 64 * 1024;

const googleIssuer = "https://accounts.google.com";

/** Maximum number of other issuers that claims are fetched from; it bounds the memory for their keys. */
const maxOtherIssuers = 32;

/**
 * Identity tokens of an OpenID Connect issuer. It need not answer at the start, nor later: nothing is said of its tokens
 * until its keys are known, and they go on being believed while it is down.
 */
export async function openIdentityTokens(options: IdentityTokensOptions): Promise<IdentityTokens> {
  const { issuer, now } = options;
  const keys = keysOfIssuer(options, issuer.url, options.shelf);
  await keys.start();
  const { audiences, signingAlgorithms } = issuer;
  const idTokenOptions: IdTokenOptions = { issuerUrl: issuer.url, audiences, signingAlgorithms, now };
  const distributed = distributedClaims(options, idTokenOptions);

  const verify = async (token: string): Promise<IdentityTokenVerdict> => {
    await keys.untilKnown();
    if (keys.keys === undefined) {
      return { outcome: "noKeys" };
    }
    try {
      const own = await verifyIdToken(idTokenOptions, keys, token).catch(asVerification);
      const claims = distributed === undefined ? own : await withDistributedClaims(distributed, own);
      return { outcome: "verified", user: userOfClaims(issuer, claims), claims };
    } catch (error) {
      if (error instanceof ClaimsError) {
        return { outcome: "refused", reason: error.message };
      }
      throw error;
    }
  };

  return {
    issuerUrl: issuer.url,
    get problem() {
      return keys.problem;
    },
    verify: (token) => (untrustedIssuer(token) === issuer.url ? verify(token) : undefined),
  };
}

/**
 * Returns the settings for distributed claims; undefined if no claim holds groups, since no other claim is resolved.
 */
function distributedClaims(
  options: IdentityTokensOptions,
  idTokenOptions: IdTokenOptions,
): DistributedClaimsOptions | undefined {
  const { issuer, signal } = options;
  const { certificateAuthorityPem, groups } = issuer;
  return groups === undefined || typeof groups === "function"
    ? undefined
    : { ...idTokenOptions, claim: groups.claim, certificateAuthorityPem, signal, keysOf: otherIssuers(options) };
}

function asVerification(error: unknown): Claims {
  throw error instanceof ClaimsError
    ? new ClaimsError(`oidc: verify token: ${error.message}`, { cause: error })
    : error;
}

/**
 * Returns the issuer that a token names, not verified; undefined for a text that is no token. One issuer has two names.
 */
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
  { issuer, onTrouble, now, signal, maxAgeMs, timing }: IdentityTokensOptions,
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
function otherIssuers(options: IdentityTokensOptions): (issuerUrl: string) => Promise<IssuerKeys> {
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
    await keys.untilKnown();
    if (keys.keys === undefined) {
      throw new IssuerError(`verifier not initialized for issuer: ${JSON.stringify(issuerUrl)}`);
    }
    return keys;
  };
}
