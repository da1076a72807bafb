import type { TokenUser } from "@gatehouse/component-base/identity-tokens";

/** The verdict of a source on a token, for any caller. */
export type TokenVerdict =
  | {
      readonly outcome: "valid";
      readonly user: TokenUser;
      /** Audiences that the token was issued for and that are configured here. */
      readonly audiences: readonly string[];
      /** End of the token in milliseconds since 1970; infinite when it has none. */
      readonly expiresAtMs: number;
    }
  /** The token is not valid; `reason` is shown to the caller and holds no secret. */
  | { readonly outcome: "refused"; readonly reason: string }
  /** No source knows the token. */
  | { readonly outcome: "unknown" }
  /** The issuer is known, but cannot be asked before something has changed; `reason` tells what. */
  | { readonly outcome: "unavailable"; readonly reason: string };

/** A source of verdicts: an OpenID Connect issuer, or an introspection server. */
export interface TokenSource {
  /** Verifies a token; undefined for a token of another issuer. Rejects when a retry may help. */
  verify(token: string): Promise<TokenVerdict | undefined> | undefined;
}
