import { goQuote } from "@gatehouse/envelopes/go";
import { compactVerify, importJWK, type JWK } from "jose";
import { ClaimsError } from "../errors.js";
import { type Claims, cannotUnmarshal, goSeconds, knownClaim, knownClaims } from "./go-claims.js";
import { type JoseHeader, readJoseHeader } from "./jose-header.js";

/** Requirements on an identity token. */
export interface IdTokenOptions {
  readonly issuerUrl: string;
  readonly audiences: readonly string[];
  readonly signingAlgorithms: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The keys it may be signed with, of which there may be newer ones. */
export interface KeySource {
  readonly keys: readonly JWK[] | undefined;
  /** Resolves when a fetch that is under way has ended. Never rejects. */
  settled(): Promise<void>;
  /** Fetches the keys because one is wanted that is not there. Never rejects. */
  lookAgain(): Promise<void>;
}

/** Tolerated difference of clocks for a token that is not valid yet, in milliseconds. */
const notBeforeLeewayMs = 60_000;

/** Checks an identity token and gives its claims. Rejects with ClaimsError that says what is wrong, in v1.29's words. */
export async function verifyIdToken(options: IdTokenOptions, source: KeySource, token: string): Promise<Claims> {
  const header = headerOf(token);
  const claims = readPayload(token);
  checkShape(claims);
  checkAudience(options, claims);
  checkTimes(options, claims);
  if (!options.signingAlgorithms.includes(header.algorithm)) {
    throw new ClaimsError(
      `oidc: id token signed with unsupported algorithm, expected ${goList(options.signingAlgorithms)} got ${goQuote(header.algorithm)}`,
    );
  }
  for (const newerKeys of [() => source.settled(), () => source.lookAgain()]) {
    if (await isSigned(token, header, source.keys)) {
      return claims;
    }
    await newerKeys();
  }
  if (!(await isSigned(token, header, source.keys))) {
    throw new ClaimsError("failed to verify signature: failed to verify id token signature");
  }
  return claims;
}

function headerOf(token: string): JoseHeader {
  try {
    return readJoseHeader(token);
  } catch (error) {
    throw error instanceof ClaimsError
      ? new ClaimsError(`oidc: malformed jwt: ${error.message}`, { cause: error })
      : error;
  }
}

/** The payload of a token, of which nothing is to be believed before its signature is verified. Throws ClaimsError. */
export function readPayload(token: string): Claims {
  const parts = token.split(".", 4);
  if (parts.length !== 3 || !/^[A-Za-z0-9_-]*$/.test(parts[1] as string)) {
    throw new ClaimsError("malformed token");
  }
  try {
    const value: unknown = JSON.parse(Buffer.from(parts[1] as string, "base64url").toString());
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Claims;
    }
  } catch {
    // Said below.
  }
  throw new ClaimsError("oidc: failed to unmarshal claims: the payload is no JSON object");
}

/** Checks that the claims v1.29 reads of every token have their types, and that distributed claims have a source. */
function checkShape(claims: Claims): void {
  for (const name of ["sub", "nonce", "at_hash"]) {
    for (const value of knownClaims(claims, name)) {
      if (value !== null && typeof value !== "string") {
        throw unusable(name, value, "string");
      }
    }
  }
  checkClaimSources(claims);
}

function checkClaimSources(claims: Claims): void {
  const names = membersOf(claims, "_claim_names", "map[string]string");
  const sources = membersOf(claims, "_claim_sources", "map[string]oidc.claimSource");
  for (const source of Object.values(sources)) {
    for (const name of ["endpoint", "access_token"]) {
      const value = knownClaim(Object(source), name) ?? null;
      if (value !== null && typeof value !== "string") {
        throw unusable(name, value, "string", `claimSource._claim_sources.${name}`);
      }
    }
  }
  for (const source of Object.values(names)) {
    if (source !== null && typeof source !== "string") {
      throw unusable("_claim_names", source, "string");
    }
    if (source === "" || source === null) {
      throw new ClaimsError("oidc: failed to obtain source from claim name");
    }
    if (!Object.hasOwn(sources, source)) {
      throw new ClaimsError("oidc: source does not exist");
    }
  }
}

function membersOf(claims: Claims, name: string, type: string): Claims {
  const value = knownClaim(claims, name) ?? {};
  if (typeof value !== "object" || Array.isArray(value)) {
    throw unusable(name, value, type);
  }
  return value as Claims;
}

function unusable(claim: string, value: unknown, type: string, field = `idToken.${claim}`): ClaimsError {
  const text = cannotUnmarshal(value, type).replace("Go value", `Go struct field ${field}`);
  return new ClaimsError(`oidc: failed to unmarshal claims: ${text}`);
}

function checkAudience({ audiences }: IdTokenOptions, claims: Claims): void {
  const held = knownClaims(claims, "aud").map(audiencesOf).at(-1) ?? [];
  if (!audiences.some((audience) => held.includes(audience))) {
    const wanted = audiences.length === 1 ? goQuote(audiences[0] as string) : `one of ${goList(audiences)}`;
    throw new ClaimsError(`oidc: expected audience ${wanted} got ${goList(held.map((item) => item ?? ""))}`);
  }
}

function audiencesOf(value: unknown): readonly (string | null)[] {
  // Of no audience v1.29 makes one without a name.
  const held = value === null ? [""] : typeof value === "string" ? [value] : value;
  if (!Array.isArray(held)) {
    throw unusable("aud", value, "[]string");
  }
  const odd: unknown = held.find((item) => item !== null && typeof item !== "string");
  if (odd !== undefined) {
    throw unusable("aud", odd, "string");
  }
  return held;
}

function checkTimes({ now }: IdTokenOptions, claims: Claims): void {
  const nowMs = now();
  const expiry = timeOf(claims, "exp", "fault");
  if (expiry === undefined || expiry < nowMs) {
    throw new ClaimsError(`oidc: token is expired (Token Expiry: ${goTime(expiry)})`);
  }
  timeOf(claims, "iat", "fault");
  const notBefore = timeOf(claims, "nbf");
  if (notBefore !== undefined && nowMs + notBeforeLeewayMs < notBefore) {
    throw new ClaimsError(
      `oidc: current time ${goTime(Math.floor(nowMs / 1000) * 1000)} before the nbf (not before) time: ${goTime(notBefore)}`,
    );
  }
}

/** Returns the time of a claim in milliseconds since 1970. */
function timeOf(claims: Claims, name: string, onNull: "fault" | "absent" = "absent"): number | undefined {
  return knownClaims(claims, name)
    .map((value) => readTime(name, value, onNull))
    .at(-1);
}

function readTime(name: string, value: unknown, onNull: "fault" | "absent"): number | undefined {
  if (value === null && onNull === "fault") {
    throw new ClaimsError('oidc: failed to unmarshal claims: strconv.ParseFloat: parsing "": invalid syntax');
  }
  if (value === undefined || value === null) {
    return undefined;
  }
  const seconds = typeof value === "string" && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value) ? Number(value) : value;
  if (typeof seconds !== "number") {
    throw typeof value === "string"
      ? new ClaimsError(
          `oidc: failed to unmarshal claims: json: invalid number literal, trying to unmarshal ${JSON.stringify(JSON.stringify(value))} into Number`,
        )
      : unusable(name, value, "json.Number");
  }
  return goSeconds(seconds) * 1000;
}

/** Formats a time as Go prints it; the beginning or the end of its calendar for a time outside of it. */
function goTime(ms: number | undefined): string {
  if (ms === Number.NEGATIVE_INFINITY) {
    return "292277026596-12-04 15:30:08 +0000 UTC";
  }
  const isDate = ms !== undefined && Math.abs(ms) <= 8.64e15;
  const text = isDate ? new Date(ms).toISOString().slice(0, 19).replace("T", " ") : "0001-01-01 00:00:00";
  return `${text} +0000 UTC`;
}

function goList(items: readonly string[]): string {
  return `[${items.map(goQuote).join(" ")}]`;
}

/**
 * Reports whether one of the keys has signed the token. If the token names a key, only keys with that id are tried;
 * other members of its header that refer to keys are ignored.
 */
async function isSigned(
  token: string,
  { algorithm, keyId, isPayloadEncoded }: JoseHeader,
  keys: readonly JWK[] | undefined,
): Promise<boolean> {
  for (const jwk of isPayloadEncoded ? (keys ?? []) : []) {
    if (keyId === "" || jwk.kid === keyId) {
      try {
        const key = await importedKey(jwk, algorithm);
        await compactVerify(token, key, { algorithms: [algorithm] });
        return true;
      } catch {
        // Another one may fit.
      }
    }
  }
  return false;
}

type ImportedKey = Awaited<ReturnType<typeof importJWK>>;

const imported = new WeakMap<JWK, Map<string, Promise<ImportedKey>>>();

/** Imports a key for an algorithm, once. Symmetric keys are refused: a published secret proves nothing. */
function importedKey(jwk: JWK, algorithm: string): Promise<ImportedKey> {
  let byAlgorithm = imported.get(jwk);
  if (byAlgorithm === undefined) {
    byAlgorithm = new Map();
    imported.set(jwk, byAlgorithm);
  }
  let key = byAlgorithm.get(algorithm);
  if (key === undefined) {
    const { kty, n, e, crv, x, y } = jwk;
    const publicPart: Record<string, unknown> = { kty, n, e, crv, x, y };
    key = importJWK(publicPart as JWK, algorithm);
    key.catch(() => {});
    byAlgorithm.set(algorithm, key);
  }
  return key;
}
