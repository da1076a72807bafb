import type { MaybePromise } from "@gatehouse/envelopes/scheduling";
import type { RequestContext } from "./request-context.js";

export type { MaybePromise };

/**
 * A handler of requests: it answers, and is done when it returns or its promise resolves. A StatusError that it throws
 * becomes the answer; anything else thrown is logged and answered as 500.
 */
export type Handler = (context: RequestContext) => MaybePromise<void>;
