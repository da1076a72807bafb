import type { Claims } from "./go-claims.js";

/** An issuer whose identity tokens are believed, and what is made of their claims. */
export interface JwtIssuer {
  /** URL of the issuer, exactly as in tokens and in the discovery document. */
  readonly url: string;
  /** A token must be for one of them. */
  readonly audiences: readonly string[];
  /** Authorities that the issuer's certificate must come from, as PEM; those of the host when absent. */
  readonly certificateAuthorityPem?: string | undefined;
  readonly signingAlgorithms: readonly string[];
  readonly username: PrefixedClaim | ClaimReader<string>;
  readonly groups: PrefixedClaim | ClaimReader<readonly string[]> | undefined;
  /** The claim that is the user's uid. */
  readonly uid: string | ClaimReader<string> | undefined;
  /** Claims that a token must have, with exactly these values. */
  readonly requiredClaims: ReadonlyMap<string, string>;
  /** Claims by the keys of the extra attributes of users that they are. An attribute without values is left out. */
  readonly extra?: ReadonlyMap<string, string | ClaimReader<readonly string[]>>;
  /** Refuses a token, by its claims or by the user that they name. Throws ClaimsError. */
  readonly check?: (claims: Claims, user: TokenUser) => void;
}

/** Computes something from the claims of a verified token. Throws ClaimsError. */
export type ClaimReader<T> = (claims: Claims) => T;

/** The user that a token identifies. */
export interface TokenUser {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** A claim, and what is put before its values so that they are nobody else's. */
export interface PrefixedClaim {
  readonly claim: string;
  readonly prefix: string;
}

/** The settings of an issuer that map claims to a user. */
export type ClaimMapping = Pick<JwtIssuer, "username" | "groups" | "uid" | "requiredClaims" | "extra" | "check">;

/** Algorithms that tokens may be signed with: none that needs a shared secret, and not "none". */
export const signingAlgorithms: readonly string[] = [
  "RS256",
  "RS384",
  "RS512",
  "ES256",
  "ES384",
  "ES512",
  "PS256",
  "PS384",
  "PS512",
];
