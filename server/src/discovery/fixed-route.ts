import { methodNotAllowed } from "@gatehouse/envelopes";
import { checkAccept } from "../http/route-accept.js";
import type { Handler } from "../request/handler.js";

/**
 * A path that v1.29 serves by a route of its own: GET and nothing else, not even HEAD, and only to clients that name one
 * of the media types, or any. The handler negotiates among them.
 */
export function fixedRoute(contentTypes: readonly string[], handler: Handler): Handler {
  return (context) => {
    if (context.method !== "GET") {
      throw methodNotAllowed();
    }
    checkAccept(context, contentTypes);
    return handler(context);
  };
}
