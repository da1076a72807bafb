import type { MaybePromise } from "../../request/handler.js";
import type { AuthenticationDecision } from "../authenticator.js";

/** Knows whose a bearer token is. `noOpinion`: it is a token of another kind. */
export interface TokenAuthenticator {
  /**
   * A token must be for one of `audiences`, if it says for whom it is; where none are given, anybody will do. `connection`
   * is where it was shown, if anywhere: the same one is likely to come again there.
   */
  authenticateToken(
    token: string,
    audiences: readonly string[],
    connection?: object,
  ): MaybePromise<AuthenticationDecision>;
}
