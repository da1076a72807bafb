import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import { sendInternalError } from "./send-internal-error.js";

/** Evaluates the audit policy for the authenticated user, and records that the request was received. */
export function recordReceived(context: RequestContext, next: Handler): MaybePromise<void> {
  const recorded = context.audit?.requestReceived() ?? true;
  const goOn = (isRecorded: boolean): MaybePromise<void> =>
    isRecorded ? next(context) : sendInternalError(context, new Error("failed to store audit event"));
  return recorded instanceof Promise ? recorded.then(goOn) : goOn(recorded);
}
