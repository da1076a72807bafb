import { ClaimsError } from "../errors.js";
import { getFromIssuer, IssuerError } from "./fetch-json.js";
import { type Claims, knownClaim } from "./go-claims.js";
import { type KeySource, readPayload, verifyIdToken } from "./verify-id-token.js";

/** Settings for claims that a token only refers to: which claim, and which sources are trusted. */
export interface DistributedClaimsOptions {
  /** The only claim that is resolved from another source: that of groups. */
  readonly claim: string;
  readonly certificateAuthorityPem: string | undefined;
  readonly audiences: readonly string[];
  readonly signingAlgorithms: readonly string[];
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** The keys of another issuer; rejects with IssuerError when they are not there yet. */
  readonly keysOf: (issuerUrl: string) => Promise<KeySource>;
}

/**
 * Fetches the claim of groups from where a token says that it is (OpenID Connect Core 1.0, section 5.6.2). The answer is a
 * token itself, of whatever issuer, and is verified as one. Rejects with ClaimsError.
 */
export async function withDistributedClaims(options: DistributedClaimsOptions, claims: Claims): Promise<Claims> {
  const { claim } = options;
  if (Object.hasOwn(claims, claim) || !Object.hasOwn(claims, "_claim_names")) {
    return claims;
  }
  try {
    const endpoint = endpointOf(claims, claim);
    return endpoint === undefined ? claims : { ...claims, [claim]: await fetchClaim(options, endpoint) };
  } catch (error) {
    if (error instanceof ClaimsError || error instanceof IssuerError) {
      throw new ClaimsError(`oidc: could not expand distributed claims: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

interface Endpoint {
  readonly url: string;
  readonly accessToken: string;
}

function endpointOf(claims: Claims, claim: string): Endpoint | undefined {
  if (!Object.hasOwn(claims, "_claim_sources")) {
    throw new ClaimsError("oidc: no claim sources");
  }
  const names = membersOf(claims["_claim_names"]);
  const sources = membersOf(claims["_claim_sources"]);
  const name = Object.hasOwn(names, claim) ? names[claim] : undefined;
  if (typeof name !== "string") {
    return undefined;
  }
  if (!Object.hasOwn(sources, name)) {
    throw new ClaimsError(`id token _claim_names contained a source ${name} missing in _claims_sources`);
  }
  const source = membersOf(sources[name]);
  const url = String(source["endpoint"] ?? "");
  return url === "" ? undefined : { url, accessToken: String(source["access_token"] ?? "") };
}

function membersOf(value: unknown): Claims {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Claims) : {};
}

async function fetchClaim(options: DistributedClaimsOptions, { url, accessToken }: Endpoint): Promise<unknown> {
  const { claim } = options;
  const token = await fetchToken(options, url, accessToken);
  let issuerUrl: string;
  try {
    issuerUrl = String(knownClaim(readPayload(token), "iss") ?? "");
  } catch (error) {
    throw new ClaimsError(
      `getting untrusted issuer from endpoint ${url} failed for claim ${JSON.stringify(claim)}: ${error instanceof Error ? error.message : ""}`,
    );
  }
  let keys: KeySource;
  try {
    keys = await options.keysOf(issuerUrl);
  } catch (error) {
    throw new ClaimsError(
      `verifying untrusted issuer ${issuerUrl} failed: ${error instanceof Error ? error.message : ""}`,
    );
  }
  let found: Claims;
  try {
    found = await verifyIdToken({ ...options, issuerUrl }, keys, token);
  } catch (error) {
    throw error instanceof ClaimsError ? new ClaimsError(`verify distributed claim token: ${error.message}`) : error;
  }
  if (!Object.hasOwn(found, claim)) {
    throw new ClaimsError(
      `jwt returned by distributed claim endpoint ${JSON.stringify(url)} did not contain claim: ${claim}`,
    );
  }
  return found[claim];
}

async function fetchToken(options: DistributedClaimsOptions, url: string, accessToken: string): Promise<string> {
  const { certificateAuthorityPem, signal, claim } = options;
  try {
    const { status, body } = await getFromIssuer({ url, certificateAuthorityPem, accessToken, signal });
    if (status < 200 || status > 226) {
      throw new IssuerError(`error while getting distributed claim JWT: ${status}${statusText(status)}`);
    }
    return body.toString();
  } catch (error) {
    throw error instanceof IssuerError
      ? new ClaimsError(`while getting distributed claim ${JSON.stringify(claim)}: ${error.message}`, { cause: error })
      : error;
  }
}

const statusTexts: ReadonlyMap<number, string> = new Map([
  [401, "Unauthorized"],
  [403, "Forbidden"],
  [404, "Not Found"],
  [500, "Internal Server Error"],
]);

function statusText(status: number): string {
  const text = statusTexts.get(status);
  return text === undefined ? "" : ` ${text}`;
}
