/** An issuer whose identity tokens are believed, and what is made of their claims. */
export interface JwtIssuer {
  /** As tokens and the discovery document name it, to the letter. */
  readonly url: string;
  /** A token must be for one of them. */
  readonly audiences: readonly string[];
  /** Authorities that the issuer's certificate must come from, as PEM; those of the host when absent. */
  readonly certificateAuthorityPem?: string | undefined;
  readonly signingAlgorithms: readonly string[];
  readonly username: PrefixedClaim;
  readonly groups: PrefixedClaim | undefined;
  /** The claim that is the user's uid. */
  readonly uidClaim: string | undefined;
  /** Claims that a token must have, with exactly these values. */
  readonly requiredClaims: ReadonlyMap<string, string>;
  /** Claims by the keys of the extra attributes of users that they are. */
  readonly extraClaims?: ReadonlyMap<string, string>;
}

/** Who a token says its bearer is. */
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

/** What of an issuer says who the bearers of its tokens are. */
export type ClaimMapping = Pick<JwtIssuer, "username" | "groups" | "uidClaim" | "requiredClaims" | "extraClaims">;

/** What tokens may be signed with: nothing that needs a secret, and nothing that proves nothing. */
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
