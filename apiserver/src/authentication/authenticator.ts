import type { Exchange } from "../request/exchange.js";
import type { MaybePromise } from "../request/handler.js";
import type { UserInfo } from "../request/user-info.js";

/** Who is asking, and what there is to say of the credential. */
export interface Authenticated {
  readonly outcome: "authenticated";
  readonly user: UserInfo;
  /** Whom the credential is for, of those that were asked for; absent for credentials that name nobody. */
  readonly audiences?: readonly string[];
  /** What the client is told that is not an error. */
  readonly warnings?: readonly string[];
  /** What the audit log is told, by qualified key. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * What an authenticator concludes. `noOpinion`: the request carries no credential of its kind, or something close to one
 * that the client is warned of. `rejected`: it carries one, and it is not good, or nobody could say so. To throw is a
 * fault of ours; the request is then answered 500.
 */
export type AuthenticationDecision =
  | Authenticated
  | { readonly outcome: "noOpinion"; readonly warning?: string }
  | { readonly outcome: "rejected"; readonly reasons: readonly string[] };

/** What authenticators read of a request: credentials are in its headers, or belong to its connection. */
export type Credentials = Pick<Exchange, "headers" | "headerValues" | "socket">;

/** Asked once per request, in the configured order, until one knows the client. */
export interface Authenticator {
  /** `audiences` are those for one of which a credential must be, where it says for whom it is. */
  authenticate(request: Credentials, audiences: readonly string[]): MaybePromise<AuthenticationDecision>;
}

/** For a request without a credential of the authenticator's kind. */
export const noOpinion: AuthenticationDecision = Object.freeze({ outcome: "noOpinion" });

/** A credential that is not good. The reason holds nothing of it. */
export function rejected(...reasons: readonly string[]): AuthenticationDecision {
  return { outcome: "rejected", reasons };
}

/** Several reasons as one text, each told once, in the manner of v1.29. */
export function reasonsText(reasons: readonly string[]): string {
  const distinct = [...new Set(reasons)];
  return distinct.length === 1 ? (distinct[0] as string) : `[${distinct.join(", ")}]`;
}
