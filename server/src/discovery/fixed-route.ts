import { methodNotAllowed, routeNotAcceptable } from "@gatehouse/envelopes";
import type { Handler } from "../request/handler.js";

/**
 * A path that v1.29 serves by a route of its own: GET and nothing else, not even HEAD, and only to clients that name one
 * of the media types, or any (a pattern such as `application/*` does not count). The handler negotiates among them.
 */
export function fixedRoute(contentTypes: readonly string[], handler: Handler): Handler {
  return (context) => {
    if (context.method !== "GET") {
      throw methodNotAllowed();
    }
    if (!names(context.header("accept"), contentTypes)) {
      throw routeNotAcceptable(contentTypes);
    }
    return handler(context);
  };
}

function names(accept: string | undefined, contentTypes: readonly string[]): boolean {
  if (accept === undefined || accept === "") {
    return true;
  }
  return accept.split(",").some((clause) => {
    const end = clause.indexOf(";");
    const type = (end < 0 ? clause : clause.slice(0, end)).trim();
    return type === "*/*" || contentTypes.includes(type);
  });
}
