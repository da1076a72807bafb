import { cannotUnmarshal, goSeconds } from "@gatehouse/component-base/identity-tokens";

/** An object that a token names. */
export interface ObjectReference {
  readonly name: string;
  readonly uid: string;
}

/** The registered claims of a JWT (RFC 7519, section 4.1); times in seconds since 1970. */
export interface RegisteredClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly string[];
  readonly expiresAt: number | undefined;
  readonly notBefore: number | undefined;
  readonly issuedAt: number | undefined;
  readonly id: string;
}

/** The claims of a token that is bound to a service account. */
export interface BoundClaims {
  readonly namespace: string;
  readonly serviceAccount: ObjectReference;
  readonly pod: ObjectReference | undefined;
  readonly secret: ObjectReference | undefined;
  readonly node: ObjectReference | undefined;
  /** The time in seconds since 1970 from which a use of the token is noted. */
  readonly warnAfter: number | undefined;
}

/** An invalid claim, with the text of v1.29's library. */
export class TokenClaimError extends Error {
  override readonly name = "TokenClaimError";
}

/** The payload of a JWT; members may have any values. */
export type Payload = Readonly<Record<string, unknown>>;

/** Returns a claim by its exact name; undefined if absent. */
export function claimOf(payload: Payload, name: string): unknown {
  return Object.hasOwn(payload, name) ? payload[name] : undefined;
}

/** Reads the registered claims. Throws TokenClaimError. */
export function registeredClaims(payload: Payload): RegisteredClaims {
  return {
    issuer: textOf(claimOf(payload, "iss")),
    subject: textOf(claimOf(payload, "sub")),
    audiences: audiencesOf(claimOf(payload, "aud")),
    expiresAt: secondsOf(claimOf(payload, "exp")),
    notBefore: secondsOf(claimOf(payload, "nbf")),
    issuedAt: secondsOf(claimOf(payload, "iat")),
    id: textOf(claimOf(payload, "jti")),
  };
}

/** Reads what a token says of its account. Throws TokenClaimError. */
export function boundClaims(payload: Payload): BoundClaims {
  const members = membersOf(claimOf(payload, "kubernetes.io"), "serviceaccount.kubernetes") ?? {};
  return {
    namespace: textOf(members["namespace"]),
    serviceAccount: referenceOf(members["serviceaccount"]) ?? { name: "", uid: "" },
    pod: referenceOf(members["pod"]),
    secret: referenceOf(members["secret"]),
    node: referenceOf(members["node"]),
    warnAfter: secondsOf(members["warnafter"]),
  };
}

function membersOf(value: unknown, type: string): Payload | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  if (typeof value !== "object" || Array.isArray(value)) {
    throw new TokenClaimError(cannotUnmarshal(value, type));
  }
  return value as Payload;
}

function referenceOf(value: unknown): ObjectReference | undefined {
  const members = membersOf(value, "serviceaccount.ref");
  return members === undefined ? undefined : { name: textOf(members["name"]), uid: textOf(members["uid"]) };
}

/** Returns a text, or an empty one for any other value. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) {
    return "";
  }
  if (typeof value !== "string") {
    throw new TokenClaimError(cannotUnmarshal(value, "string"));
  }
  return value;
}

function audiencesOf(value: unknown): readonly string[] {
  const list = value === undefined ? [] : typeof value === "string" ? [value] : value;
  if (!Array.isArray(list) || !list.every((item) => typeof item === "string")) {
    throw new TokenClaimError("square/go-jose/jwt: expected string or array value to unmarshal to Audience");
  }
  return list;
}

function secondsOf(value: unknown): number | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  if (typeof value !== "number" && typeof value !== "bigint") {
    throw new TokenClaimError("square/go-jose/jwt: expected number value to unmarshal NumericDate");
  }
  return goSeconds(Number(value));
}
