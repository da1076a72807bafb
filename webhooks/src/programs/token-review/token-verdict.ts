import type { TokenUser } from "@gatehouse/component-base/identity-tokens";

/** What is known of a token, whoever asks. */
export type TokenVerdict =
  | {
      readonly outcome: "valid";
      readonly user: TokenUser;
      /** Those that it was issued for and that count here. */
      readonly audiences: readonly string[];
      /** Milliseconds since 1970; infinite for a token that tells no end. */
      readonly expiresAtMs: number;
    }
  /** `reason` is for the caller, and holds nothing that proves anything. */
  | { readonly outcome: "refused"; readonly reason: string }
  /** It is nobody's token. */
  | { readonly outcome: "unknown" }
  /** It is somebody's, but nothing can be said of it before something has changed. */
  | { readonly outcome: "unavailable"; readonly reason: string };

/** Somebody who knows tokens: an issuer, or a server that is asked. */
export interface TokenSource {
  /** Undefined for a token that is none of its own. Rejects when to ask again may help. */
  verify(token: string): Promise<TokenVerdict | undefined> | undefined;
}
