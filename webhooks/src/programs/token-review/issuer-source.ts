import { type IdentityTokensOptions, knownClaim, openIdentityTokens } from "@gatehouse/component-base/identity-tokens";
import { asOutsider } from "./outside-users.js";
import type { TokenSource } from "./token-verdict.js";

/** Opens a source that verifies the tokens of an OpenID Connect issuer. It does not wait for the issuer to answer. */
export async function openIssuerSource(options: IdentityTokensOptions): Promise<TokenSource> {
  const { url, audiences } = options.issuer;
  const tokens = await openIdentityTokens(options);

  async function verify(pending: NonNullable<ReturnType<typeof tokens.verify>>) {
    const verdict = await pending;
    switch (verdict.outcome) {
      case "noKeys":
        // A retry within seconds, as API servers do after a failure, would change nothing.
        return { outcome: "unavailable" as const, reason: `the keys of the issuer ${url} are not known` };
      case "refused":
        return verdict;
      case "verified": {
        const held = [knownClaim(verdict.claims, "aud")].flat();
        return asOutsider({
          outcome: "valid",
          user: verdict.user,
          audiences: audiences.filter((audience) => held.includes(audience)),
          expiresAtMs: Number(knownClaim(verdict.claims, "exp")) * 1000,
        });
      }
    }
  }

  return {
    verify(token) {
      const pending = tokens.verify(token);
      return pending === undefined ? undefined : verify(pending);
    },
  };
}
