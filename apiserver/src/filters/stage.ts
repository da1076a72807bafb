import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";

/** A step on the way of every request. It calls `next`, once at most, or answers or throws instead. */
export type Stage = (context: RequestContext, next: Handler) => MaybePromise<void>;

/** Composes stages, outermost first, around a handler. Done once, at start. */
export function chain(stages: readonly Stage[], handler: Handler): Handler {
  return stages.reduceRight<Handler>((next, stage) => (context) => stage(context, next), handler);
}

/** Reports whether a handler still has to finish: it returned a promise. */
export function isPromise(value: MaybePromise<void>): value is Promise<void> {
  return value !== undefined;
}
