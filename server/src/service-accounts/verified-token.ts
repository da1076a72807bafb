import {
  type AuthenticationDecision,
  intersection,
  noOpinion,
  rejected,
  type TokenAuthenticator,
} from "@gatehouse/apiserver/authentication";
import { ClaimsError } from "@gatehouse/component-base/errors";
import { type JoseHeader, readJoseHeader } from "@gatehouse/component-base/identity-tokens";
import type { Counter } from "@gatehouse/component-base/metrics";
import { parseJson } from "@gatehouse/envelopes/codec";
import { compactVerify } from "jose";
import { type Payload, type RegisteredClaims, registeredClaims, TokenClaimError } from "./token-claims.js";
import type { VerificationKey } from "./token-keys.js";

/** The claims of one sort of token besides the registered ones, and the checks on them. */
export interface OwnClaims<Claims> {
  /** Reads the claims of a payload. Throws TokenClaimError for one of a wrong type, whatever else is wrong (v1.29). */
  read(payload: Payload): Claims;
  /** Decides about a token whose issuer, signature and audiences are verified. */
  validate(registered: RegisteredClaims, claims: Claims, token: string): Promise<AuthenticationDecision>;
}

/** The accepted issuers and keys of tokens. */
export interface VerifiedTokensOptions<Claims> {
  readonly issuers: readonly string[];
  readonly keys: readonly VerificationKey[];
  /** The audiences of tokens that name none, and of callers that request none. */
  readonly apiAudiences: readonly string[];
  readonly ownClaims: OwnClaims<Claims>;
  /** Counts tokens without audiences: those that are kept in secrets. */
  readonly legacyUses: Counter;
}

/** The limit of a token's length in characters: v1.29's tokens with every claim have some 1,500. */
const maxTokenLength = 64 * 1024;

/**
 * Returns an authenticator of tokens that this control plane has issued: JWTs of one of the issuers, signed with one of
 * the keys. The key that a token names is only a hint; keys in its header are never used.
 */
export function verifiedTokens<Claims>(options: VerifiedTokensOptions<Claims>): TokenAuthenticator {
  const issuers = new Set(options.issuers);
  return {
    authenticateToken(token, audiences) {
      const issuer = unverifiedIssuer(token);
      return issuer === undefined || !issuers.has(issuer) ? noOpinion : authenticate(options, token, audiences);
    },
  };
}

async function authenticate<Claims>(
  { keys, apiAudiences, ownClaims, legacyUses }: VerifiedTokensOptions<Claims>,
  token: string,
  audiences: readonly string[],
): Promise<AuthenticationDecision> {
  const header = headerOf(token);
  if (header === undefined) {
    return noOpinion;
  }
  const verified = await verify(token, header, keys);
  if (verified === undefined) {
    return rejected(notSigned);
  }
  try {
    const payload = parsePayload(verified.text);
    const registered = registeredClaims(payload);
    const claims = ownClaims.read(payload);
    const isLegacy = registered.audiences.length === 0;
    if (isLegacy) {
      legacyUses.inc();
    }
    const held = isLegacy ? apiAudiences : registered.audiences;
    const wanted = audiences.length === 0 ? apiAudiences : audiences;
    const both = intersection(wanted, held);
    if (both.length === 0 && apiAudiences.length > 0) {
      return rejected(`token audiences ${goList(held)} is invalid for the target audiences ${goList(wanted)}`);
    }
    const decision = await ownClaims.validate(registered, claims, token);
    return decision.outcome !== "authenticated"
      ? decision
      : {
          ...decision,
          audiences: both,
          ...(isLegacy
            ? { annotations: { "authentication.k8s.io/legacy-token": registered.subject, ...decision.annotations } }
            : {}),
        };
  } catch (error) {
    if (error instanceof TokenClaimError) {
      // v1.29 tries the other keys as well, and tells of each.
      const position = keys.indexOf(verified.key);
      return rejected(...keys.map((_key, index) => (index === position ? error.message : notSigned)));
    }
    throw error;
  }
}

const notSigned = "square/go-jose: error in cryptographic primitive";

/** Returns the issuer that a token claims. As in v1.29, the case of the claim's name does not matter here. */
function unverifiedIssuer(token: string): string | undefined {
  const payload = unverifiedPayload(token) ?? {};
  const name = Object.keys(payload).findLast((key) => key.toLowerCase() === "iss");
  const issuer = name === undefined ? undefined : payload[name];
  return typeof issuer === "string" ? issuer : undefined;
}

/** Returns the payload of a compact JWS without verification; undefined for an invalid one. */
function unverifiedPayload(token: string): Payload | undefined {
  const parts = token.length > maxTokenLength ? [] : token.split(".", 4);
  const payload = parts.length === 3 ? decodePart(parts[1] as string) : undefined;
  return typeof payload === "object" && payload !== null && !Array.isArray(payload) ? (payload as Payload) : undefined;
}

function decodePart(part: string): unknown {
  try {
    return /^[A-Za-z0-9_-]*$/.test(part) ? JSON.parse(Buffer.from(part, "base64url").toString()) : undefined;
  } catch {
    return undefined;
  }
}

/** Throws TokenClaimError. What says a thing twice says nothing. */
function parsePayload(text: string): Payload {
  const { value, duplicateFields } = parseJson(text);
  const [duplicate] = duplicateFields;
  if (duplicate !== undefined) {
    throw new TokenClaimError(`json: duplicate key '${duplicate}' in object`);
  }
  return value as Payload;
}

function headerOf(token: string): JoseHeader | undefined {
  try {
    return readJoseHeader(token);
  } catch (error) {
    if (error instanceof ClaimsError) {
      return undefined;
    }
    throw error;
  }
}

/** Returns the signed text and the key that verifies it; undefined when none does. */
async function verify(
  token: string,
  { algorithm, keyId, isPayloadEncoded }: JoseHeader,
  keys: readonly VerificationKey[],
): Promise<{ readonly text: string; readonly key: VerificationKey } | undefined> {
  const named = keys.filter(({ id }) => id === keyId);
  for (const key of [...named, ...keys.filter(({ id }) => id !== keyId)]) {
    if (isPayloadEncoded && key.accepted.includes(algorithm)) {
      try {
        const { payload } = await compactVerify(token, key.key, { algorithms: [algorithm] });
        return { text: new TextDecoder().decode(payload), key };
      } catch {
        // Another key may fit.
      }
    }
  }
  return undefined;
}

function goList(items: readonly string[]): string {
  return `[${items.map((item) => JSON.stringify(item)).join(" ")}]`;
}
