import type { AuthorizationDecision, Authorizer } from "../authorization/authorizer.js";
import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import { deniedTo } from "./denied-to.js";
import type { Stage } from "./stage.js";

/** Lets a request pass if the authorizer allows it; no opinion is a no. */
export function authorize(authorizer: Authorizer): Stage {
  const conclude = (context: RequestContext, answer: AuthorizationDecision, next: Handler): MaybePromise<void> => {
    if (answer.decision !== "allow") {
      throw deniedTo(context, answer.reason);
    }
    return next(context);
  };
  return (context, next) => {
    const answer = authorizer.authorize({ user: context.user, info: context.info });
    return answer instanceof Promise
      ? answer.then((late) => conclude(context, late, next))
      : conclude(context, answer, next);
  };
}
