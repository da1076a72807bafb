import { unauthorized } from "@gatehouse/envelopes";
import {
  isForOneOf,
  type RequestAuthenticator,
  type RequestDecision,
} from "../authentication/request-authenticator.js";
import { withoutTokenProtocol } from "../authentication/tokens/websocket-token.js";
import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import type { ServerLog } from "../server-log.js";
import type { Stage } from "./stage.js";

/** Finds out who the client is; 401 when a credential is not good, or none is shown and strangers are not let in. */
export function authenticate(
  authenticator: RequestAuthenticator,
  apiAudiences: readonly string[],
  log: Pick<ServerLog, "authenticationFailed">,
): Stage {
  const conclude = (context: RequestContext, decision: RequestDecision, next: Handler): MaybePromise<void> => {
    for (const warning of decision.warnings ?? []) {
      context.warn(warning);
    }
    if (decision.outcome === "rejected") {
      if (decision.reasons.length > 0) {
        log.authenticationFailed(context, decision.reasons);
      }
      throw unauthorized();
    }
    if (!isForOneOf(apiAudiences, decision.audiences)) {
      log.authenticationFailed(context, ["the credential is not for this API"]);
      throw unauthorized();
    }
    removeCredentials(context);
    context.user = decision.user;
    return next(context);
  };
  return (context, next) => {
    const decision = authenticator.authenticate(context.exchange);
    return decision instanceof Promise
      ? decision.then((late) => conclude(context, late, next))
      : conclude(context, decision, next);
  };
}

/** What is behind must not learn the credential: nobody there needs it. */
function removeCredentials(context: RequestContext): void {
  const { headers } = context.exchange;
  if (headers.authorization !== undefined) {
    delete headers.authorization;
  }
  const protocols = headers["sec-websocket-protocol"];
  if (protocols !== undefined) {
    headers["sec-websocket-protocol"] = withoutTokenProtocol(protocols);
  }
}
