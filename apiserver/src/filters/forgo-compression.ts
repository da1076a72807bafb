import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";

/** Sends everything as it is, with the gate APIResponseCompression off. */
export function forgoCompression(context: RequestContext, next: Handler): MaybePromise<void> {
  context.mayCompress = false;
  return next(context);
}
