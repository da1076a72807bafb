import type { Exchange } from "../request/exchange.js";
import type { UserInfo } from "../request/user-info.js";

/**
 * What an authenticator concludes. `noOpinion`: the request carries no credential of its kind, or something close to one
 * that the client is warned of. `rejected`: it carries one, and it is not good. To throw is to fail to conclude; the
 * request is then answered 500.
 */
export type AuthenticationDecision =
  | { readonly outcome: "authenticated"; readonly user: UserInfo }
  | { readonly outcome: "noOpinion"; readonly warning?: string }
  | { readonly outcome: "rejected"; readonly reason: string };

/** What authenticators read of a request: credentials are in its headers, or belong to its connection. */
export type Credentials = Pick<Exchange, "headers" | "socket">;

/** Asked once per request, in the configured order, until one knows the client. */
export interface Authenticator {
  authenticate(request: Credentials): AuthenticationDecision | Promise<AuthenticationDecision>;
}

/** For a request without a credential of the authenticator's kind. */
export const noOpinion: AuthenticationDecision = Object.freeze({ outcome: "noOpinion" });
