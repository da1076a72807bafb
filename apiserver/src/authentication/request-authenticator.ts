import type { MaybePromise } from "../request/handler.js";
import { anonymousUser, authenticatedGroup, unauthenticatedGroup } from "../request/user-info.js";
import type { Authenticated, AuthenticationDecision, Authenticator, Credentials } from "./authenticator.js";

/** The decision of all authenticators together about a request. */
export type RequestDecision =
  | (Authenticated & { readonly warnings?: readonly string[] })
  /** A refusal. It has no reasons if no credential was shown and anonymous requests are not let in. */
  | { readonly outcome: "rejected"; readonly reasons: readonly string[]; readonly warnings?: readonly string[] };

/** An authenticator of any credential; called once per request. */
export interface RequestAuthenticator {
  /**
   * Decides about a request. A credential that names audiences must be for one of `audiences`, by default those of the
   * API.
   */
  authenticate(request: Credentials, audiences?: readonly string[]): MaybePromise<RequestDecision>;
}

/** The authenticators, and the treatment of requests that none of them knows. */
export interface RequestAuthenticatorOptions {
  /** The authenticators in the order in which they are asked. */
  readonly authenticators: readonly Authenticator[];
  /** True if requests without credentials are those of system:anonymous. */
  readonly anonymousAllowed: boolean;
  /** The audiences of the API (`--api-audiences`). */
  readonly apiAudiences: readonly string[];
}

const nothingHeard: Heard = { reasons: [], warnings: [] };

interface Heard {
  readonly reasons: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Asks one authenticator after the other until one knows the client. A bad credential does not keep the others from being
 * asked, but when none of them knows the client, it is an answer of its own, never a reason to go on as somebody else.
 */
export function requestAuthenticator(options: RequestAuthenticatorOptions): RequestAuthenticator {
  const { authenticators, anonymousAllowed, apiAudiences } = options;

  const conclude = (heard: Heard, audiences: readonly string[]): RequestDecision => {
    const warnings = heard.warnings.length === 0 ? {} : { warnings: heard.warnings };
    if (heard.reasons.length > 0 || !anonymousAllowed) {
      return { outcome: "rejected", reasons: heard.reasons, ...warnings };
    }
    return { outcome: "authenticated", user: anonymousUser, audiences, ...warnings };
  };

  const askFrom = (
    index: number,
    request: Credentials,
    audiences: readonly string[],
    heard: Heard,
  ): MaybePromise<RequestDecision> => {
    for (let at = index; at < authenticators.length; at++) {
      const decision = (authenticators[at] as Authenticator).authenticate(request, audiences);
      if (decision instanceof Promise) {
        return decision.then((late) =>
          late.outcome === "authenticated"
            ? known(late, heard)
            : askFrom(at + 1, request, audiences, hear(heard, late)),
        );
      }
      if (decision.outcome === "authenticated") {
        return known(decision, heard);
      }
      heard = hear(heard, decision);
    }
    return conclude(heard, audiences);
  };

  return {
    authenticate: (request, audiences = apiAudiences) => askFrom(0, request, audiences, nothingHeard),
  };
}

/** Reports whether a credential is for one of the requested audiences; true if either side names none. */
export function isForOneOf(asked: readonly string[], held: readonly string[] | undefined): boolean {
  return (
    asked === held ||
    asked.length === 0 ||
    held === undefined ||
    held.length === 0 ||
    asked.some((audience) => held.includes(audience))
  );
}

function known(decision: Authenticated, { warnings }: Heard): RequestDecision {
  const complete = amongAuthenticated(decision);
  return warnings.length === 0 ? complete : { ...complete, warnings: [...warnings, ...(decision.warnings ?? [])] };
}

const completed = new WeakMap<Authenticated, Authenticated>();

/** Adds `system:authenticated` to a user's groups, unless it or `system:unauthenticated` is there already. */
function amongAuthenticated(decision: Authenticated): Authenticated {
  const { username, groups } = decision.user;
  if (
    username === anonymousUser.username ||
    groups.includes(authenticatedGroup) ||
    groups.includes(unauthenticatedGroup)
  ) {
    return decision;
  }
  // Decisions are kept with their connection or their token: one object for all requests, and one user.
  let complete = completed.get(decision);
  if (complete === undefined) {
    complete = { ...decision, user: { ...decision.user, groups: [...groups, authenticatedGroup] } };
    completed.set(decision, complete);
  }
  return complete;
}

function hear(heard: Heard, decision: Exclude<AuthenticationDecision, Authenticated>): Heard {
  if (decision.outcome === "rejected") {
    return { ...heard, reasons: [...heard.reasons, ...decision.reasons] };
  }
  return decision.warning === undefined ? heard : { ...heard, warnings: [...heard.warnings, decision.warning] };
}
