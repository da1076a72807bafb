import type { Exchange } from "../request/exchange.js";
import type { MaybePromise } from "../request/handler.js";
import type { UserInfo } from "../request/user-info.js";

/** A known user, and what the credential adds to it. */
export interface Authenticated {
  readonly outcome: "authenticated";
  readonly user: UserInfo;
  /** The requested audiences that the credential is for; absent for credentials that name none. */
  readonly audiences?: readonly string[];
  /** Texts for the Warning header of the answer. */
  readonly warnings?: readonly string[];
  /** Audit annotations by qualified key. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * The decision of an authenticator. `noOpinion`: the request carries no credential of its kind, or something close to
 * one that the client is warned of. `rejected`: it carries one that is invalid, or cannot be checked. An exception is a
 * fault of the server; the request is then answered 500.
 */
export type AuthenticationDecision =
  | Authenticated
  | { readonly outcome: "noOpinion"; readonly warning?: string }
  | { readonly outcome: "rejected"; readonly reasons: readonly string[] };

/** The part of a request that authenticators read: credentials are in its headers, or belong to its connection. */
export type Credentials = Pick<Exchange, "headers" | "headerValues" | "socket">;

/** An authenticator, called once per request in the configured order until one knows the client. */
export interface Authenticator {
  /** Decides about a request. A credential that names audiences must be for one of `audiences`. */
  authenticate(request: Credentials, audiences: readonly string[]): MaybePromise<AuthenticationDecision>;
}

/** The decision about a request without a credential of the authenticator's kind. */
export const noOpinion: AuthenticationDecision = Object.freeze({ outcome: "noOpinion" });

/** Returns a refusal of an invalid credential. The reasons must contain nothing of it. */
export function rejected(...reasons: readonly string[]): AuthenticationDecision {
  return { outcome: "rejected", reasons };
}

/** Joins several reasons into one text, each once, as v1.29 does. */
export function reasonsText(reasons: readonly string[]): string {
  const distinct = [...new Set(reasons)];
  return distinct.length === 1 ? (distinct[0] as string) : `[${distinct.join(", ")}]`;
}
