import type { MaybePromise } from "../../request/handler.js";
import { type AuthenticationDecision, noOpinion, rejected } from "../authenticator.js";
import type { TokenAuthenticator } from "./token-authenticator.js";

/** Asks one after the other until one knows the token. What others had against it is forgotten then. */
export function tokenUnion(authenticators: readonly TokenAuthenticator[]): TokenAuthenticator {
  const askFrom = (
    index: number,
    token: string,
    audiences: readonly string[],
    reasons: readonly string[],
  ): MaybePromise<AuthenticationDecision> => {
    const authenticator = authenticators[index];
    if (authenticator === undefined) {
      return reasons.length === 0 ? noOpinion : rejected(...reasons);
    }
    const conclude = (decision: AuthenticationDecision): MaybePromise<AuthenticationDecision> =>
      decision.outcome === "authenticated"
        ? decision
        : askFrom(
            index + 1,
            token,
            audiences,
            decision.outcome === "rejected" ? [...reasons, ...decision.reasons] : reasons,
          );
    const decision = authenticator.authenticateToken(token, audiences);
    return decision instanceof Promise ? decision.then(conclude) : conclude(decision);
  };
  return { authenticateToken: (token, audiences) => askFrom(0, token, audiences, []) };
}
