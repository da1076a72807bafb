import type { HttpRequest } from "../request/request-context.js";
import type { UserInfo } from "../request/user-info.js";

/**
 * What an authenticator concludes. `noOpinion`: the request carries no credential of its kind. `rejected`: it carries
 * one, and it is not good. To throw is to fail to conclude; the request is then answered 500.
 */
export type AuthenticationDecision =
  | { readonly outcome: "authenticated"; readonly user: UserInfo }
  | { readonly outcome: "noOpinion" }
  | { readonly outcome: "rejected"; readonly reason: string };

/** Asked once per request, in the configured order, until one knows the client. */
export interface Authenticator {
  authenticate(request: HttpRequest): AuthenticationDecision | Promise<AuthenticationDecision>;
}

export const noOpinion: AuthenticationDecision = Object.freeze({ outcome: "noOpinion" });
