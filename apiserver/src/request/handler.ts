import type { RequestContext } from "./request-context.js";

/** Synchronous when nothing has to be waited for. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * The end of the line: answers the request, and is done when it returns or its promise resolves. To throw a StatusError
 * is to answer with it; anything else that is thrown is logged and becomes 500.
 */
export type Handler = (context: RequestContext) => MaybePromise<void>;
