import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";

/** Lets the audit policy see who has authenticated, and records that the request has arrived. */
export function recordReceived(context: RequestContext, next: Handler): MaybePromise<void> {
  const recorded = context.audit?.requestReceived();
  return recorded === undefined ? next(context) : recorded.then(() => next(context));
}
