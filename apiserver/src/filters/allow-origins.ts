import type { Pattern } from "@gatehouse/policies/patterns";
import { sendAnswer } from "../http/answer.js";
import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import type { Filter } from "./filter.js";

/** The limit of an `Origin` header in characters: a scheme, a host name of 255 characters and a port fit in. */
const maxOriginLength = 1024;

const methods = "POST, GET, OPTIONS, PUT, DELETE, PATCH";
const requestHeaders =
  "Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since";

/**
 * Lets scripts of other origins read answers (CORS), if one of the patterns matches their origin; answers their preflight
 * requests, before anybody is authenticated.
 */
export function allowOrigins(patterns: readonly Pattern[]): Filter {
  return (context: RequestContext, next: Handler): MaybePromise<void> => {
    const origin = context.header("origin");
    if (
      origin === undefined ||
      origin.length > maxOriginLength ||
      !patterns.some((pattern) => pattern.matches(origin))
    ) {
      return next(context);
    }
    context.setHeader("Access-Control-Allow-Origin", origin);
    context.setHeader("Access-Control-Allow-Methods", methods);
    context.setHeader("Access-Control-Allow-Headers", requestHeaders);
    context.setHeader("Access-Control-Expose-Headers", "Date");
    context.setHeader("Access-Control-Allow-Credentials", "true");
    return context.method === "OPTIONS" ? sendAnswer(context, 204, {}) : next(context);
  };
}
