import { unauthorized } from "@gatehouse/envelopes";
import type { AuthenticationDecision, Authenticator } from "../authentication/authenticator.js";
import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import { anonymousUser, type UserInfo } from "../request/user-info.js";
import type { Stage } from "./stage.js";

/**
 * Finds out who is asking. A bad credential is an answer of its own (401), never a reason to go on as somebody else.
 */
export function authenticate(authenticators: readonly Authenticator[], anonymousAllowed: boolean): Stage {
  const proceed = (context: RequestContext, user: UserInfo | undefined, next: Handler): MaybePromise<void> => {
    const who = user ?? (anonymousAllowed ? anonymousUser : undefined);
    if (who === undefined) {
      throw unauthorized();
    }
    context.user = who;
    return next(context);
  };
  const ask = (context: RequestContext, from: number, next: Handler): MaybePromise<void> => {
    for (let index = from; index < authenticators.length; index++) {
      const decision = (authenticators[index] as Authenticator).authenticate(context.request);
      if (decision instanceof Promise) {
        return decision.then((late) => conclude(context, late, index + 1, next));
      }
      if (decision.outcome !== "noOpinion") {
        return conclude(context, decision, index + 1, next);
      }
    }
    return proceed(context, undefined, next);
  };
  const conclude = (
    context: RequestContext,
    decision: AuthenticationDecision,
    from: number,
    next: Handler,
  ): MaybePromise<void> => {
    switch (decision.outcome) {
      case "authenticated":
        return proceed(context, decision.user, next);
      case "rejected":
        throw unauthorized();
      case "noOpinion":
        return ask(context, from, next);
    }
  };
  return (context, next) => ask(context, 0, next);
}
