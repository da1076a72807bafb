import type { RequestInfo } from "../request/request-info.js";
import type { UserInfo } from "../request/user-info.js";

/** What is to be decided: who wants to do what. */
export interface AuthorizationAttributes {
  readonly user: UserInfo;
  readonly info: RequestInfo;
}

/** `noOpinion` passes the question to the next authorizer; a request that nobody allows is denied. To throw is to fail. */
export interface AuthorizationDecision {
  readonly decision: "allow" | "deny" | "noOpinion";
  readonly reason: string;
}

/**
 * Asked once per request about what it is authorized for, in the configured order, until one allows or denies. It
 * changes nothing of what it is given. When it throws or rejects, the request is answered with an error and no further
 * authorizer is asked.
 */
export interface Authorizer {
  authorize(attributes: AuthorizationAttributes): AuthorizationDecision | Promise<AuthorizationDecision>;
}
