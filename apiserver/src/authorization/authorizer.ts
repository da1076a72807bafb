import type { PolicyRule } from "@gatehouse/policies/rbac";
import type { MaybePromise } from "../request/handler.js";
import type { RequestInfo } from "../request/request-info.js";
import type { UserInfo } from "../request/user-info.js";

/** The attributes of a request to be authorized: the user and the action. */
export interface AuthorizationAttributes {
  readonly user: UserInfo;
  readonly info: RequestInfo;
  /** The signal that aborts when nobody waits for the decision any more; only authorizers that wait read it. */
  readonly signal?: AbortSignal;
}

/**
 * The decision of an authorizer. `noOpinion` passes the question to the next one; a request that none allows is denied.
 */
export interface AuthorizationDecision {
  readonly decision: "allow" | "deny" | "noOpinion";
  readonly reason: string;
  /**
   * The error that kept the decision from being made, or from considering everything. An allowed request stays allowed.
   */
  readonly error?: Error;
}

/**
 * An authorizer, called once per request in the configured order until one allows or denies. It must not change its
 * arguments. An exception or rejection means no opinion, with the error.
 */
export interface Authorizer {
  authorize(attributes: AuthorizationAttributes): MaybePromise<AuthorizationDecision>;
  /**
   * Returns a text for the audit log when the decision of all authorizers together is known: the rule by which this one
   * has allowed the request, or the closest one. Undefined when there is nothing to tell, or another has allowed it.
   */
  explain?(attributes: AuthorizationAttributes, decision: AuthorizationDecision): string | undefined;
  /** Returns the rules of a user in a namespace. Absent on authorizers of users who may do everything. */
  rulesFor?(user: UserInfo, namespace: string): MaybePromise<KnownRules>;
}

/** The rules that an authorizer knows of a user in a namespace. */
export interface KnownRules {
  readonly rules: readonly PolicyRule[];
  /** True if there may be more rules. */
  readonly incomplete: boolean;
  readonly error?: Error;
}
