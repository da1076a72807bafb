import { badRequest, internalError, StatusError } from "@gatehouse/envelopes/status";
import { ClientGoneError } from "../errors/errors.js";
import { sendStatus } from "../http/responder.js";
import type { ServerLog } from "../logs/server-log.js";
import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import { statusOfStoreError } from "../storage/store-status.js";
import { type Filter, isPromise } from "./filter.js";

/**
 * Turns anything thrown into a Status, here only. Errors not meant for clients are logged and answered as 500 without
 * details.
 */
export function recoverFromThrow(log: ServerLog): Filter {
  const fail = (context: RequestContext, error: unknown): void => {
    if (error instanceof ClientGoneError || context.isClosed) {
      return;
    }
    if (error instanceof StatusError) {
      sendStatus(context, error.status);
      return;
    }
    const storeStatus = statusOfStoreError(error);
    if (storeStatus !== undefined) {
      sendStatus(context, storeStatus.status);
      return;
    }
    if (isTooDeep(error)) {
      sendStatus(context, badRequest("exceeded max depth", error).status);
      return;
    }
    log.requestFailed(context, error);
    context.audit?.panicked(error);
    sendStatus(context, internalError("the server met an unexpected condition; its log has the details").status);
  };
  // An answer that cannot be sent (a header that Node refuses) is a fault of ours that nobody else would hear of.
  const failSafely = (context: RequestContext, error: unknown): void => {
    try {
      fail(context, error);
    } catch (fault) {
      log.requestFailed(context, fault);
      context.breakOff();
    }
  };
  return (context: RequestContext, next: Handler): MaybePromise<void> => {
    try {
      const outcome = next(context);
      return isPromise(outcome) ? outcome.catch((error: unknown) => failSafely(context, error)) : outcome;
    } catch (error) {
      failSafely(context, error);
    }
  };
}

/**
 * Reports whether a document was too deep for recursion. v1.29 allows 10,000 levels; less may exhaust the stack here.
 */
function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError && error.message === "Maximum call stack size exceeded";
}
