import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";

/** A step on the way of every request. It calls `next`, once at most, or answers or throws instead. */
export type Filter = (context: RequestContext, next: Handler) => MaybePromise<void>;

/** Composes filters, outermost first, around a handler. Done once, at start. */
export function chain(filters: readonly Filter[], handler: Handler): Handler {
  return filters.reduceRight<Handler>((next, filter) => (context) => filter(context, next), handler);
}

/** Reports whether a handler still has to finish: it returned a promise. */
export function isPromise(value: MaybePromise<void>): value is Promise<void> {
  return value !== undefined;
}
