import {
  type IdentityTokensOptions,
  type IdentityTokenVerdict,
  openIdentityTokens,
} from "@gatehouse/component-base/identity-tokens";
import { type AuthenticationDecision, noOpinion, rejected } from "../authenticator.js";
import type { TokenAuthenticator } from "../tokens/token-authenticator.js";

/** An authenticator of the users of one issuer. */
export interface OidcTokens extends TokenAuthenticator {
  readonly issuerUrl: string;
  /** The reason why the issuer cannot be asked now; undefined while it can. */
  readonly problem: Error | undefined;
}

/**
 * Opens the authenticator of an OpenID Connect issuer's identity tokens. The issuer need not answer when the server
 * starts, nor later: tokens are refused with a reason until its keys are known, and stay accepted while it is down.
 */
export async function openOidcTokens(options: IdentityTokensOptions): Promise<OidcTokens> {
  const tokens = await openIdentityTokens(options);
  return {
    issuerUrl: tokens.issuerUrl,
    get problem() {
      return tokens.problem;
    },
    authenticateToken: (token) => tokens.verify(token)?.then(decisionOf) ?? noOpinion,
  };
}

function decisionOf(verdict: IdentityTokenVerdict): AuthenticationDecision {
  switch (verdict.outcome) {
    case "verified":
      return { outcome: "authenticated", user: verdict.user };
    case "refused":
      return rejected(verdict.reason);
    case "noKeys":
      return rejected("oidc: authenticator not initialized");
  }
}
