import type { MaybePromise } from "../../request/handler.js";
import type { AuthenticationDecision } from "../authenticator.js";

/** Knows whose a bearer token is. `noOpinion`: it is a token of another kind. */
export interface TokenAuthenticator {
  /** A token must be for one of `audiences`, if it says for whom it is; where none are given, anybody will do. */
  authenticateToken(token: string, audiences: readonly string[]): MaybePromise<AuthenticationDecision>;
}
