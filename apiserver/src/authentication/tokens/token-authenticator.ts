import type { MaybePromise } from "../../request/handler.js";
import type { AuthenticationDecision } from "../authenticator.js";

/** An authenticator of bearer tokens. `noOpinion`: the token is of another kind. */
export interface TokenAuthenticator {
  /**
   * Decides about a token. One that names audiences must be for one of `audiences`; if these are empty, any will do.
   * `connection` is the one on which it was shown, where the same token is likely to come again.
   */
  authenticateToken(
    token: string,
    audiences: readonly string[],
    connection?: object,
  ): MaybePromise<AuthenticationDecision>;
}
