import { randomUUID } from "node:crypto";
import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";

/** Gives every request an identity before anything can fail. A client may bring its own, as from v1.29. */
export function assignAuditId(context: RequestContext, next: Handler): MaybePromise<void> {
  const offered = context.header("audit-id");
  context.auditID = offered !== undefined && /^[\w.:-]{1,64}$/.test(offered) ? offered : randomUUID();
  return next(context);
}
