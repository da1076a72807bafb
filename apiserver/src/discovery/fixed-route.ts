import { methodNotAllowed, routeNotAcceptable } from "@gatehouse/envelopes/status";
import { checkAccept, typesNamed } from "../http/route-accept.js";
import type { Handler } from "../request/handler.js";

/**
 * A path that v1.29 serves by a route of its own: GET and nothing else, not even HEAD, and only to clients that name one
 * of the media types, or any. Who says of what type the body is that nobody reads has to name one of them, too. The
 * handler negotiates among them.
 */
export function fixedRoute(contentTypes: readonly string[], handler: Handler): Handler {
  return (context) => {
    if (context.method !== "GET") {
      throw methodNotAllowed();
    }
    const sent = context.header("content-type") ?? "";
    if (sent !== "" && !typesNamed(sent).some((type) => contentTypes.includes(type))) {
      throw routeNotAcceptable([]);
    }
    checkAccept(context, contentTypes);
    return handler(context);
  };
}
