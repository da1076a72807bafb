import type { RequestContext } from "./request-context.js";

/** A value, or a promise of it if something must be waited for. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * A handler of requests: it answers, and is done when it returns or its promise resolves. A StatusError that it throws
 * becomes the answer; anything else thrown is logged and answered as 500.
 */
export type Handler = (context: RequestContext) => MaybePromise<void>;
