import type { PolicyRule } from "@gatehouse/policies/rbac";
import type { MaybePromise } from "../request/handler.js";
import type { RequestInfo } from "../request/request-info.js";
import type { UserInfo } from "../request/user-info.js";

/** What is to be decided: who wants to do what. */
export interface AuthorizationAttributes {
  readonly user: UserInfo;
  readonly info: RequestInfo;
  /** Aborts when nobody waits for the decision any more; read only by those who wait. */
  readonly signal?: AbortSignal;
}

/** `noOpinion` passes the question to the next authorizer; a request that nobody allows is denied. */
export interface AuthorizationDecision {
  readonly decision: "allow" | "deny" | "noOpinion";
  readonly reason: string;
  /** Why it could not be decided, or not from everything that counts. What is allowed all the same is allowed. */
  readonly error?: Error;
}

/**
 * Asked once per request about what it is authorized for, in the configured order, until one allows or denies. It
 * changes nothing of what it is given. To throw or reject is to have no opinion, with the error.
 */
export interface Authorizer {
  authorize(attributes: AuthorizationAttributes): MaybePromise<AuthorizationDecision>;
  /**
   * For the audit log, when the decision of all authorizers together is known: by which rule this one has allowed it, or
   * what came closest. Undefined where there is nothing to tell, or another has allowed it.
   */
  explain?(attributes: AuthorizationAttributes, decision: AuthorizationDecision): string | undefined;
  /** Absent where nobody asks: of those who may do everything. */
  rulesFor?(user: UserInfo, namespace: string): MaybePromise<KnownRules>;
}

/** All that an authorizer allows somebody in a namespace, as far as it can tell. */
export interface KnownRules {
  readonly rules: readonly PolicyRule[];
  /** There may be more. */
  readonly incomplete: boolean;
  readonly error?: Error;
}
