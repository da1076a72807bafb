import { StatusError } from "@gatehouse/envelopes";
import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";

/**
 * Stands where a client takes on another identity. As long as that cannot be had, a request that asks for it is refused:
 * who says `--as` expects to be able to do less, and must not act with all the rights of the one who says it.
 */
export function impersonate(context: RequestContext, next: Handler): MaybePromise<void> {
  for (const name in context.exchange.headers) {
    if (name.startsWith("impersonate-")) {
      throw new StatusError(
        403,
        "Forbidden",
        `impersonation is not available on this server yet: the request carries the header ${JSON.stringify(headerName(name))}`,
        {},
      );
    }
  }
  return next(context);
}

/** As it is usually written; what clients append to it is theirs. */
function headerName(name: string): string {
  return name.replace(/^impersonate-(user|group|uid|extra)(?=-|$)/, (_whole, what: string) =>
    what === "uid" ? "Impersonate-Uid" : `Impersonate-${what[0]?.toUpperCase()}${what.slice(1)}`,
  );
}
