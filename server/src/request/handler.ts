import type { RequestContext } from "./request-context.js";

/** Synchronous when nothing has to be waited for. */
export type MaybePromise<T> = T | Promise<T>;

/** The end of the line: answers the request. */
export type Handler = (context: RequestContext) => MaybePromise<void>;
