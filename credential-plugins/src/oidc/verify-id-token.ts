import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from "jose";
import { CredentialError } from "../plugin/credential-error.js";
import type { ProviderFetch } from "./provider-fetch.js";

/** Requirements on an ID token before it is kept or sent anywhere. */
export interface IdTokenExpectations {
  readonly issuer: string;
  readonly clientId: string;
  /** URL of the provider's keys. */
  readonly jwksUri: string;
  /** Signing algorithms that the provider states; those without a public key are never accepted. */
  readonly algorithms: readonly string[];
  /** Nonce of the login; a refreshed token may leave it out. */
  readonly nonce?: string;
  /** Subject of the login that is refreshed: a refresh must not change it. */
  readonly subject?: string;
}

/** The claims that we look at. */
export interface IdToken {
  readonly subject: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly claims: JWTPayload;
}

const publicKeyAlgorithms: ReadonlySet<string> = new Set(
  "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" "),
);

/** Verifies signature, issuer, audience, times and nonce. Rejects with CredentialError, or what the fetching of keys rejects with. */
export async function verifyIdToken(
  token: string,
  expected: IdTokenExpectations,
  fetch: ProviderFetch,
): Promise<IdToken> {
  const keys = createRemoteJWKSet(new URL(expected.jwksUri), { [customFetch]: fetch });
  const claims = await verify(token, expected, keys);
  const { sub = "", exp = 0, aud, azp, nonce } = claims;
  if (sub === "") {
    throw refused("it names no subject");
  }
  if (expected.nonce !== undefined && nonce !== expected.nonce) {
    throw refused("it does not belong to this login (nonce)");
  }
  if (Array.isArray(aud) && aud.length > 1 && azp !== expected.clientId) {
    throw refused("it was made for several audiences and another client (azp)");
  }
  if (expected.subject !== undefined && sub !== expected.subject) {
    throw refused("the provider has made somebody else of the one who was logged in (sub)");
  }
  return { subject: sub, expiresAt: exp * 1000, claims };
}

async function verify(
  token: string,
  { issuer, clientId, algorithms }: IdTokenExpectations,
  keys: ReturnType<typeof createRemoteJWKSet>,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      algorithms: algorithms.filter((name) => publicKeyAlgorithms.has(name)),
      requiredClaims: ["exp", "iat"],
      clockTolerance: 60,
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) {
      // A fixed text: what is wrong, not with which value.
      throw refused(error.message);
    }
    throw error;
  }
}

function refused(why: string): CredentialError {
  return new CredentialError(`the ID token of the provider is not valid: ${why}`);
}
