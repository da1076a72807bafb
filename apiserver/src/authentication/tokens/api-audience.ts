import { type AuthenticationDecision, noOpinion } from "../authenticator.js";
import type { TokenAuthenticator } from "./token-authenticator.js";

/** Wraps an authenticator so that tokens without audiences count for those of the API (`--api-audiences`) only. */
export function forApiAudiences(apiAudiences: readonly string[], delegate: TokenAuthenticator): TokenAuthenticator {
  return {
    authenticateToken(token, audiences) {
      if (audiences.length === 0) {
        return delegate.authenticateToken(token, audiences);
      }
      const both = audiences === apiAudiences ? apiAudiences : intersection(audiences, apiAudiences);
      if (both.length === 0) {
        return noOpinion;
      }
      const withAudiences = (decision: AuthenticationDecision): AuthenticationDecision =>
        decision.outcome === "authenticated" ? { ...decision, audiences: both } : decision;
      const decision = delegate.authenticateToken(token, audiences);
      return decision instanceof Promise ? decision.then(withAudiences) : withAudiences(decision);
    },
  };
}

/** Returns the items that both lists have, in the order of the first. */
export function intersection(these: readonly string[], those: readonly string[]): readonly string[] {
  return these.filter((item) => those.includes(item));
}
