import { unauthorized } from "@gatehouse/envelopes";
import type { AuthenticationDecision, Authenticator } from "../authentication/authenticator.js";
import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import { anonymousUser, type UserInfo } from "../request/user-info.js";
import type { ServerLog } from "../server-log.js";
import type { Stage } from "./stage.js";

const noReasons: readonly string[] = [];

/**
 * Finds out who is asking: the first authenticator that knows decides. A bad credential does not keep the others from
 * being asked, but when none of them knows the client, it is an answer of its own (401), never a reason to go on as
 * somebody else.
 */
export function authenticate(
  authenticators: readonly Authenticator[],
  anonymousAllowed: boolean,
  log: Pick<ServerLog, "authenticationFailed">,
): Stage {
  const ask = (
    context: RequestContext,
    from: number,
    reasonsBefore: readonly string[],
    next: Handler,
  ): MaybePromise<void> => {
    let reasons = reasonsBefore;
    for (let index = from; index < authenticators.length; index++) {
      const decision = (authenticators[index] as Authenticator).authenticate(context.exchange);
      if (decision instanceof Promise) {
        const heard = reasons;
        return decision.then((late) =>
          late.outcome === "authenticated"
            ? proceed(context, late.user, next)
            : ask(context, index + 1, hear(context, late, heard), next),
        );
      }
      if (decision.outcome === "authenticated") {
        return proceed(context, decision.user, next);
      }
      reasons = hear(context, decision, reasons);
    }
    if (reasons.length > 0) {
      log.authenticationFailed(context, reasons);
      throw unauthorized();
    }
    if (!anonymousAllowed) {
      throw unauthorized();
    }
    return proceed(context, anonymousUser, next);
  };
  return (context, next) => ask(context, 0, noReasons, next);
}

/** The reasons for which credentials have been refused so far. */
function hear(
  context: RequestContext,
  decision: Exclude<AuthenticationDecision, { outcome: "authenticated" }>,
  before: readonly string[],
): readonly string[] {
  if (decision.outcome === "rejected") {
    return [...before, decision.reason];
  }
  if (decision.warning !== undefined) {
    context.warn(decision.warning);
  }
  return before;
}

/** What is behind must not learn the credential: nobody there needs it. */
function proceed(context: RequestContext, user: UserInfo, next: Handler): MaybePromise<void> {
  const { headers } = context.exchange;
  if (headers.authorization !== undefined) {
    delete headers.authorization;
  }
  context.user = user;
  return next(context);
}
