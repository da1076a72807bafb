import { methodNotAllowed, routeNotAcceptable } from "@gatehouse/envelopes/status";
import { checkAccept, typesNamed } from "../http/route-accept.js";
import type { Handler } from "../request/handler.js";

/**
 * Returns the handler of a path that v1.29 serves by its own route: only GET, not even HEAD, and only for clients that
 * accept one of the media types. A Content-Type, even of an unread body, must be one of them, too. `handler` negotiates
 * among them.
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
